/** The entry point of the Worker that audits ranges of a trust database. It loads no server code. */
import { runAuditWorker } from '../../platform/audit/worker.ts';
import { auditedOf } from '../../platform/module.ts';
import { trustModules } from '../service/modules.ts';

runAuditWorker(() => auditedOf(trustModules));
