/**
 * A process of its own that changes a registry file, to be killed at any time: path, mode (weekly or
 * suppression), seed.
 */
import { amendRegistry } from '../../src/staffing/registry/amend.ts';
import { madeUpClinicians } from '../../src/staffing/registry/sample/sample.ts';

const [, , path = '', mode = '', seed = ''] = process.argv;
const put = mode === 'weekly' ? [...madeUpClinicians(3000, Number(seed))] : [];
const remove = [...madeUpClinicians(40, 5)].map(({ npi }) => npi);
process.stdout.write('ready\n');
amendRegistry(path, { put, remove, at: '2026-03-09T00:00:00.000Z', kind: 'weekly', asOf: '2026-03-08' });
process.stdout.write('done\n');
