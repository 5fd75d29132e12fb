import { basename, join } from 'node:path';
import { Failure } from '../../../platform/failure.ts';
import { dayInName } from '../../nppes/deactivated/title.ts';
import { groupingsOf } from '../../nppes/groupings.ts';
import { dayInZipName } from '../../nppes/reading/names.ts';
import type { Dissemination, DisseminationFacts } from '../../nppes/rows.ts';
import { formerRegistry } from '../../registry/current.ts';
import { describeRegistry, type RegistryDescription, taxonomyOf } from '../../registry/description.ts';
import { embeddedTaxonomy } from '../../registry/vocabulary/taxonomy.ts';
import { type DeactivationReport, storedReportDate } from '../deactivations.ts';
import { Refused, refuseFuture, replaceableNow, sizeOfInput } from '../rules.ts';
import type { Work } from '../work.ts';
import type { WorkContext } from './context.ts';
import { DeactivationWork } from './deactivate.ts';
import { FullWork } from './full.ts';
import { RollbackWork } from './return.ts';
import { WeeklyWork } from './weekly.ts';

/** The steps of an import, without its thread. */
export type Steps = Pick<Work, 'prepare' | 'apply'>;

/** Opens the files of an import and returns its steps. @throws Failure, Refused */
export async function openSteps(context: WorkContext): Promise<Steps> {
  const { task, places } = context;
  const served = replaceableNow(places.directory, task.isForced);
  if (task.isRollback) {
    return new RollbackWork(context, formerOf(places.directory), required(served));
  }
  const report = task.deactivated === null ? null : await deactivationsOf(context, task.deactivated);
  if (task.npi !== null) return openDissemination(context, task.npi, served, report);
  if (report === null) throw new Failure('there is no file to import', 'specify --npi or --deactivated', 2);
  return new DeactivationWork(context, report, required(served));
}

async function openDissemination(
  context: WorkContext,
  path: string,
  served: RegistryDescription | null,
  report: DeactivationReport | null,
): Promise<Steps> {
  const { task, readers } = context;
  sizeOfInput(path);
  const taxonomy = task.taxonomy === null ? embeddedTaxonomy() : readers.taxonomy(task.taxonomy).entries;
  const groupings = task.groupings === null ? null : groupingsOf(task.groupings, taxonomy);
  const source = await readers.dissemination(path, { groupings, taxonomy });
  try {
    const isWeekly = task.isWeekly || source.facts.period === 'weekly';
    context.onEvent({ event: 'kind', kind: isWeekly ? 'weekly' : 'full' });
    const asOf = asOfOf(source.facts, task.asOf);
    refuseFutureNames(context, path, source.facts, asOf);
    if (!isWeekly) return new FullWork(context, source, { asOf, taxonomy, groupings }, served, report);
    refuseOptionsOfFull(context);
    const current = required(served);
    const ofCurrent = await reopened(context, source, current, path);
    return new WeeklyWork(context, ofCurrent, asOf, current, report);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens a weekly file again, so that it keeps the groupings of the registry. */
async function reopened(
  { places, readers }: WorkContext,
  source: Dissemination,
  { name, groupings }: RegistryDescription,
  path: string,
): Promise<Dissemination> {
  if (groupings === null) return source;
  source.close();
  return readers.dissemination(path, { groupings, taxonomy: taxonomyOf(join(places.directory, name)) });
}

function refuseOptionsOfFull({ task }: WorkContext): void {
  if (task.groupings === null && task.taxonomy === null) return;
  const option = task.groupings === null ? '--taxonomy' : '--groupings';
  throw new Refused(
    `${option} is for a monthly file, and this is a weekly one, which takes what the registry was built with`,
    `repeat the command without ${option}`,
  );
}

function asOfOf({ asOf, name }: DisseminationFacts, requestedDate: string | null): string {
  const date = requestedDate ?? asOf;
  if (date !== null) return date;
  throw new Refused(
    `the name of ${name} does not contain the date of the data`,
    'give the file the name that it was published with, or specify --as-of',
  );
}

/** Refuses a day of the future in the name of the CSV, in that of its zip, and in --as-of. @throws Refused */
function refuseFutureNames(
  { clock }: WorkContext,
  path: string,
  { name, asOf: day }: DisseminationFacts,
  asOf: string,
): void {
  refuseFuture(name, day ?? asOf, clock);
  refuseFuture(name, asOf, clock);
  const zip = basename(path);
  const dayOfZip = dayInZipName(zip);
  if (dayOfZip !== null) refuseFuture(zip, dayOfZip, clock);
}

async function deactivationsOf(
  { readers, places, clock }: WorkContext,
  path: string,
): Promise<DeactivationReport> {
  sizeOfInput(path);
  const { asOf, npis, bad } = await readers.deactivated(path);
  if (asOf === null) {
    throw new Refused(
      `${path} does not contain the date of the report`,
      'give the file the name that it was published with',
    );
  }
  // The title counts, and a name of the future says that it was not published under this name.
  for (const day of [asOf, dayInName(basename(path))]) {
    if (day !== null) refuseFuture(basename(path), day, clock);
  }
  await refuseOlderReport(places.database, asOf);
  const deactivations = npis.map(({ npi, deactivatedOn }) => ({ npi, deactivatedOn: deactivatedOn ?? asOf }));
  return { asOf, deactivations, bad };
}

async function refuseOlderReport(database: string, asOf: string): Promise<void> {
  const stored = await storedReportDate(database);
  if (stored === null || asOf >= stored) return;
  throw new Refused(
    `the report of deactivations is as of ${asOf}, and the stored one is as of ${stored}`,
    'specify the newest report: it names all deactivated NPIs',
  );
}

function required(served: RegistryDescription | null): RegistryDescription {
  if (served !== null) return served;
  throw new Refused(
    'there is no registry to change',
    'import a monthly file first, or start the service once',
  );
}

function formerOf(directory: string): RegistryDescription {
  const name = formerRegistry(directory);
  if (name !== null) return describeRegistry(join(directory, name));
  throw new Refused(
    'there is no former registry: one is kept only after a monthly file was imported',
    'import the file that you want instead; countersign registry list shows what there is',
  );
}
