import { webhookSettings } from '../../platform/config/platform-settings.ts';

/** The settings for webhooks. */
export const webhooksSettings = webhookSettings();
