import type { PackageBuilder } from '../compliance/packages/builder.ts';
import { clusterBuilder } from './packages/builder.ts';

/** The builders of the packages of clusters. */
export const packageBuilders: readonly PackageBuilder[] = [clusterBuilder];
