export const audited = [];
