/**
 * The id of the process that started this one. It is read as early as possible: if that process ends, another
 * one takes its place.
 */
export const STARTED_BY = process.ppid;
