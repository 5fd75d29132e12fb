import { webhookSettings } from '../../platform/config/platform-settings.ts';

/** Settings for webhooks. */
export const webhooksSettings = webhookSettings();
