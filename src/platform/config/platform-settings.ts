import {
  address,
  baseUrl,
  choice,
  integer,
  networks,
  type Setting,
  text,
  textMatching,
  toggle,
} from './setting.ts';

/** The defaults that differ between the services. */
export interface ServiceDefaults {
  port: number;
  data: string;
  /** Whether the data directory may be `:memory:`. */
  allowsMemory: boolean;
}

/** Returns the settings that both services have, by property name. `tableOf` makes a list of them. */
export function platformSettings({ port, data, allowsMemory }: ServiceDefaults) {
  return {
    config: text<null>('config', {
      argument: '<file>',
      description: 'a TOML file with settings',
      fallback: null,
    }),
    service: text('service', {
      argument: '<name>',
      description: 'which service: trust or staffing',
      fallback: 'trust',
    }),
    host: address('host', {
      description: 'the address that the service listens on',
      fallback: '127.0.0.1',
    }),
    port: integer('port', 0, 65_535, {
      description: 'the port that the service listens on',
      whenServing: '0 selects a free one',
      fallback: port,
    }),
    data: text('data', {
      argument: '<directory>',
      description: 'the data directory',
      ...(allowsMemory
        ? { whenServing: ':memory: selects a temporary directory, which is removed at the end' }
        : {}),
      fallback: data,
      fallbackText: `./${data}`,
    }),
    allowSharedData: toggle('allow_shared_data', {
      description: 'use the data directory even if every user of this machine may write in it',
    }),
    baseUrl: baseUrl('base_url', {
      description: 'the URL by which clients reach the service',
      fallback: null,
      fallbackText: 'the address that it listens on',
    }),
    readyFile: text<null>('ready_file', {
      argument: '<path>',
      description:
        'write a JSON file with URL, process id and the secrets of this start as soon as the service accepts requests',
      fallback: null,
    }),
    printSecrets: toggle('print_secrets', {
      description:
        'print the secrets that a start makes even without a terminal, instead of writing them to first-start.json in the data directory',
    }),
    tlsCert: text<null>('tls_cert', {
      argument: '<file>',
      description: 'serve https with this certificate chain (PEM); needs tls_key',
      fallback: null,
    }),
    tlsKey: text<null>('tls_key', {
      argument: '<file>',
      description: 'the private key of the certificate (PEM), not accessible to other users (chmod o-rwx)',
      fallback: null,
    }),
    trustedProxies: networks('trusted_proxies', {
      description: 'the addresses and networks of proxies whose X-Forwarded-For header is trusted',
    }),
    rateLimits: choice('rate_limits', ['on', 'off'], {
      description: 'limit the number of requests; off is for tests',
      fallback: 'on',
    }),
    inFlight: integer('limits.in_flight', 1, 100_000, {
      description: 'requests of one payer that are worked on at a time while others wait',
      fallback: 64,
    }),
    logLevel: choice('log_level', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      argument: '<level>',
      description: 'the lowest level that is logged: trace, debug, info, warn, error, fatal or silent',
      fallback: 'info',
    }),
    logFile: text<null>('log_file', {
      argument: '<path>',
      description: 'write log lines to this file instead of stderr; SIGHUP reopens it',
      fallback: null,
    }),
    metricsPort: integer<null>('metrics_port', 0, 65_535, {
      description: 'serve Prometheus metrics at /metrics on this port; 0 selects a free one',
      fallback: null,
    }),
    keysPassphrase: text<null>('keys_passphrase', {
      description: 'the passphrase for keys backup and keys restore; without it, the commands prompt for it',
      fallback: null,
      secret: true,
    }),
    metricsHost: address('metrics_host', {
      description: 'the address for the metrics',
      fallback: '127.0.0.1',
    }),
  };
}

/** Returns the settings of the API that both services have. */
export function apiSettings() {
  return {
    checkResponses: toggle('check_responses', {
      description: 'compare what handlers return with its schema before it is sent; for tests',
    }),
    securityContact: textMatching<null>(
      'security_contact',
      /^(?=[!-~]+$)(?:mailto:[^@?]+@[^@?]+|https:\/\/[^/].*|tel:\+[\d-]+)$/,
      'is not a URI such as mailto:security@example.com, https://example.com/security or tel:+1-201-555-0123',
      {
        argument: '<uri>',
        description:
          'where to report vulnerabilities, in /.well-known/security.txt: a mailto:, https: or tel: URI in ASCII; without one, the file is absent',
        fallback: null,
      },
    ),
  };
}

/**
 * Returns the settings of the rate limits that several services share, in requests per minute and client
 * address.
 */
export function limitSettings() {
  return {
    publicReads: integer('limits.public_reads', 1, 1_000_000, {
      description: 'public reads per minute and client address',
      fallback: 600,
    }),
    publicPosts: integer('limits.public_posts', 1, 1_000_000, {
      description:
        'writes that need no key and have no other limit, and requests refused with 401, per minute and client address',
      fallback: 60,
    }),
  };
}

/** Returns the settings for the receivers of webhooks that both services have. */
export function webhookSettings() {
  return {
    allowPrivateWebhooks: toggle('webhooks.allow_private', {
      description: 'allow webhooks to private addresses, and over http',
    }),
  };
}

/** Returns the settings of some objects as a table, in the order of their members. */
export function tableOf(...groups: Readonly<Record<string, Setting>>[]): readonly Setting[] {
  return groups.flatMap((group) => Object.values(group));
}
