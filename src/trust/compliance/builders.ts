import { assessmentBuilder } from './assessment/builder.ts';
import type { PackageBuilder } from './packages/builder.ts';
import { auditBuilder } from './reports/builder.ts';

/** The builders of the packages of agents. */
export const packageBuilders: readonly PackageBuilder[] = [assessmentBuilder, auditBuilder];
