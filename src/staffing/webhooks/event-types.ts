/** The event of a requisition's change, which every webhook receives. */
export const STATUS_CHANGED = 'requisition.status_changed';

/** The event that a partner asks for to try its webhook. */
export const TEST = 'webhook.test';
