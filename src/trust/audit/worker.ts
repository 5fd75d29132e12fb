/** The Worker that audits ranges of a trust database on a thread of its own. It loads what the modules have audited, and no server. */
import { runAuditWorker } from '../../platform/audit/worker.ts';
import { auditedOf } from '../../platform/module.ts';
import { trustModules } from '../modules.ts';

runAuditWorker(() => auditedOf(trustModules));
