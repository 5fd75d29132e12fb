import type { ModuleEntry } from '../../../platform/module.ts';
import { meteringSettings } from './settings.ts';

/** Metering: what products cost, and how they are charged. */
export const meteringModule = {
  name: 'metering',
  settings: Object.values(meteringSettings),
} satisfies ModuleEntry;
