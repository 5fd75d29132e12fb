import { Command } from 'commander';
import type { ModuleCommand } from '../../../src/platform/module.ts';

/** The verbs of notes. */
export const commands = (): readonly ModuleCommand[] => [
  { command: new Command('notes').description('count the notes that are kept') },
];
