import type { Config } from '../../../../platform/config/setting.ts';
import { a2aSettings } from '../settings.ts';
import { TaskStreams } from './task-streams.ts';

/** Opens the streams of tasks with the limits of the settings. */
export function openTaskStreams(
  context: ConstructorParameters<typeof TaskStreams>[0],
  config: Config,
): TaskStreams {
  const limits = { all: a2aSettings.streams.in(config), ofCaller: a2aSettings.streamsPerCaller.in(config) };
  return new TaskStreams(context, limits);
}
