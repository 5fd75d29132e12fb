import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addFlags, settled } from '../platform/config/command-line.ts';
import type { Config } from '../platform/config/setting.ts';
import { Failure } from '../platform/failure.ts';
import type { Schema } from '../platform/store/migrations.ts';
import { trustDatabase } from '../trust/database.ts';
import { trustSettings, trustSettingsTable } from '../trust/settings.ts';

/** What commands that no service owns need of the one whose data directory they work on. */
export interface Place {
  config: Config;
  /** The data directory. */
  data: string;
  /** The database's file name in it. */
  database: string;
  schema: Schema;
}

/** Gives a command the flags that say which service and which data directory. */
export function placeFlags(command: Command): Command {
  return addFlags(command, [trustSettings.service, trustSettings.data, trustSettings.config]);
}

/** @throws Failure for a service that there is not, and a data directory that outlives no process */
export function placeOf(command: Command): Place {
  const { config } = settled(command, trustSettingsTable);
  refuseOther(trustSettings.service.in(config));
  const data = trustSettings.data.in(config);
  if (data === ':memory:') throw new Failure(':memory: is private to the server that holds it', null, 2);
  return { config, data: resolve(data), database: trustDatabase.name, schema: trustDatabase.schema };
}

/** @throws Failure (exit code 2) for any service but this version's */
export function refuseOther(service: string): void {
  if (service === 'trust') return;
  const known =
    service === 'staffing' ? 'the staffing service is not part of this version' : 'no such service';
  throw new Failure(`${service}: ${known}`, 'use --service trust', 2);
}
