/** What neither a scorecard nor a package of a cluster can show. */
export const TELEMETRY_LIMITS: readonly string[] = [
  'Telemetry that was not sent does not appear: nothing here shows that it is complete.',
  'The operator states declared values; no instrument signed them. Simulated telemetry meets no requirement and is only shown.',
  'The carbon intensity is as sent. The service does not know the grid of the cluster, nor fuel that it burns, nor other emissions.',
  'Avoided emissions are not subtracted from the inventory. Their baseline is not known.',
  'The id of a cluster proves no ownership of a facility: the first operator that used it has it.',
  'A meter that was never enrolled, or that measures the load of another one, cannot be seen here.',
];
