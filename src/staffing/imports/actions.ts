import { type Static, Type } from '@sinclair/typebox';
import { Action } from '../../platform/control/action.ts';
import { Failure } from '../../platform/failure.ts';
import { nullable, strictObject } from '../../platform/http/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import { reportDate } from './deactivations.ts';
import { registryFiles } from './files.ts';
import type { Importer, ImportStatus } from './importer.ts';
import { lastReport, Report } from './report.ts';
import type { Task } from './task.ts';

/** The context of the commands that load data. */
export interface Imports {
  store: Store;
  importer: Importer;
  /** The directory of the registry files. */
  registryPath: string;
}

const path = nullable(Type.String({ minLength: 1, maxLength: 4096 }));
const date = nullable(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }));

const Status = strictObject({
  id: Type.String(),
  running: Type.Boolean(),
  step: Type.String(),
  rows: Type.Integer({ minimum: 0 }),
  /** 0 to 1. */
  share: Type.Number({ minimum: 0 }),
  seconds: Type.Number({ minimum: 0 }),
  report: nullable(Report),
});

const File = strictObject({
  name: Type.String(),
  /** current, former, or other: a file that no command uses. */
  state: Type.Union([Type.Literal('current'), Type.Literal('former'), Type.Literal('other')]),
  as_of: nullable(Type.String()),
  records: nullable(Type.Integer()),
  sample: nullable(Type.Boolean()),
  bytes: Type.Integer({ minimum: 0 }),
});

export const startAction = new Action({
  name: 'import.start',
  input: strictObject({
    npi: path,
    taxonomy: path,
    deactivated: path,
    groupings: nullable(Type.String({ minLength: 1, maxLength: 4096 })),
    weekly: Type.Boolean(),
    as_of: date,
    force: Type.Boolean(),
  }),
  output: Status,
  run: async ({ importer }: Imports, { weekly, as_of: asOf, force, ...files }) =>
    shown(importer.start({ ...files, isRollback: false, isWeekly: weekly, asOf, isForced: force })),
});

export const rollbackAction = new Action({
  name: 'registry.rollback',
  input: strictObject({}),
  output: Status,
  run: async ({ importer }: Imports) => shown(importer.start(ROLLBACK)),
});

const ROLLBACK: Task = {
  isRollback: true,
  npi: null,
  taxonomy: null,
  deactivated: null,
  groupings: null,
  isWeekly: false,
  asOf: null,
  isForced: true,
};

export const importStatusAction = new Action({
  name: 'import.status',
  input: strictObject({ id: Type.String() }),
  output: Status,
  isPolled: true,
  run: async ({ importer }: Imports, { id }) => {
    const { status } = importer;
    if (status?.id === id) return shown(status);
    throw new Failure(
      'the server was restarted, or another import was started since',
      'countersign registry status shows what happened',
    );
  },
});

export const cancelAction = new Action({
  name: 'import.cancel',
  input: strictObject({ id: Type.String() }),
  output: strictObject({}),
  run: async ({ importer }: Imports, { id }) => {
    if (importer.status?.id === id) importer.cancel();
    return {};
  },
});

export const filesAction = new Action({
  name: 'registry.list',
  input: strictObject({}),
  output: strictObject({ files: Type.Array(File) }),
  run: async ({ registryPath }: Imports) => ({ files: registryFiles(registryPath) }),
});

/** The state of the registry, and what imports do and did. */
const RegistryStatus = strictObject({
  current: nullable(File),
  former: nullable(File),
  deactivations_as_of: nullable(Type.String()),
  running: nullable(Status),
  last_import: nullable(Report),
});
export type RegistryStatus = Static<typeof RegistryStatus>;

export const registryStatusAction = new Action({
  name: 'registry.status',
  input: strictObject({}),
  output: RegistryStatus,
  run: async ({ importer, registryPath, store }: Imports) => {
    const files = registryFiles(registryPath);
    const { status } = importer;
    return {
      current: files.find(({ state }) => state === 'current') ?? null,
      former: files.find(({ state }) => state === 'former') ?? null,
      deactivations_as_of: await reportDate({ store }),
      running: status?.isRunning === true ? shown(status) : null,
      last_import: lastReport(registryPath),
    };
  },
});

export const importActions = [
  startAction,
  rollbackAction,
  importStatusAction,
  cancelAction,
  filesAction,
  registryStatusAction,
];

function shown({ id, isRunning, progress, seconds, report }: ImportStatus) {
  return { id, running: isRunning, ...progress, seconds, report };
}
