import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Failure } from '../failure.ts';
import { framingFault } from '../network/framing.ts';
import { localUrl } from '../network/urls.ts';
import type { MetricsRecorder } from './recorder.ts';

/** A metric whose value is read when the metrics are scraped. */
export interface Metric {
  name: string;
  help: string;
  labels: readonly string[];
  read(): Promise<{ labels: Record<string, string>; value: number }[]>;
}

export interface Metrics {
  recorder: MetricsRecorder;
  /** Adds metrics of the service. @throws Failure for a name that every service has */
  add(metrics: readonly Metric[]): void;
  /** Serves `GET /metrics` in Prometheus's text format. @throws Failure */
  listen(host: string, port: number): { url: string; stop(): Promise<void> };
}

/** Methods that are labels. Any other method would be a label that the client chooses. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Few, because every route and every task has all of them. */
const SECONDS_BY_NAME = [0.0025, 0.01, 0.05, 0.25, 1];

export function createMetrics(service: string, version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'countersign_build_info',
    help: 'Always 1. The labels show the version.',
    labelNames: ['service', 'version'],
    registers,
  }).set({ service, version }, 1);
  // Each has at most two labels: clients reach every route with every method, and many statuses.
  const requests = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its response.',
    labelNames: ['route'],
    buckets: SECONDS_BY_NAME,
    registers,
  });
  const responses = new Counter({
    name: 'countersign_http_responses_total',
    help: 'Responses by method and status.',
    labelNames: ['method', 'status'],
    registers,
  });
  const routeResponses = new Counter({
    name: 'countersign_http_route_responses_total',
    help: 'Responses by route and class of status, such as 4xx.',
    labelNames: ['route', 'status_class'],
    registers,
  });
  const groups = new Histogram({
    name: 'countersign_store_commit_duration_seconds',
    help: 'Time of one group of writes: transaction, commit and sync.',
    buckets: SECONDS,
    registers,
  });
  const writes = new Counter({
    name: 'countersign_store_writes_total',
    help: 'Writes. Writes that wait at the same time share a commit.',
    registers,
  });
  const tasks = new Histogram({
    name: 'countersign_task_duration_seconds',
    help: 'Time of one run of a scheduled task.',
    labelNames: ['task', 'outcome'],
    buckets: SECONDS_BY_NAME,
    registers,
  });
  const signing = new Histogram({
    name: 'countersign_log_signing_duration_seconds',
    help: 'Time to sign a checkpoint of a log with all of its keys.',
    labelNames: ['log'],
    buckets: SECONDS,
    registers,
  });
  const merging = new Histogram({
    name: 'countersign_log_merge_delay_seconds',
    help: 'Time from the first new leaf of a checkpoint to its publication.',
    labelNames: ['log'],
    buckets: SECONDS,
    registers,
  });
  const witnessFailures = new Counter({
    name: 'countersign_witness_failures_total',
    help: 'Requests to witnesses that returned no cosignature.',
    labelNames: ['witness', 'reason'],
    registers,
  });
  const webhooks = new Counter({
    name: 'countersign_webhook_deliveries_total',
    help: 'Deliveries to webhooks, by result.',
    labelNames: ['event', 'result'],
    registers,
  });
  return {
    recorder: {
      request(method, route, status, seconds) {
        const pattern = route ?? 'none';
        requests.observe({ route: pattern }, seconds);
        responses.inc({ method: METHODS.includes(method) ? method : 'other', status: String(status) });
        routeResponses.inc({ route: pattern, status_class: `${Math.floor(status / 100)}xx` });
      },
      commitGroup(count, seconds) {
        groups.observe(seconds);
        writes.inc(count);
      },
      task(name, isOk, seconds) {
        tasks.observe({ task: name, outcome: isOk ? 'done' : 'failed' }, seconds);
      },
      checkpoint(log, seconds, mergeDelay) {
        signing.observe({ log }, seconds);
        if (mergeDelay !== null) merging.observe({ log }, mergeDelay);
      },
      witnessFailure(witness, reason, count) {
        witnessFailures.inc({ witness, reason }, count);
      },
      webhook(event, result, count) {
        webhooks.inc({ event, result }, count);
      },
    },
    add(metrics) {
      for (const { name, help, labels, read } of metrics) {
        if (registry.getSingleMetric(name) !== undefined)
          throw new Failure(
            `a module has the metric ${name}, which every service has`,
            'give it another name',
          );
        new Gauge({
          name,
          help,
          labelNames: [...labels],
          registers,
          async collect() {
            this.reset();
            for (const { labels: of, value } of await read()) this.set(of, value);
          },
        });
      }
    },
    listen: (host, port) => serve(registry, host, port),
  };
}

function serve(registry: Registry, hostname: string, port: number) {
  try {
    const server = Bun.serve({
      hostname,
      port,
      reusePort: false,
      // The runtime's error page would show source code.
      development: false,
      error: () => new Response(null, { status: 500 }),
      async fetch(request) {
        const fault = framingFault(request);
        if (fault !== null)
          return new Response(`${fault}\n`, { status: 400, headers: { connection: 'close' } });
        if (new URL(request.url).pathname !== '/metrics')
          return new Response('see /metrics\n', { status: 404 });
        if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } });
        return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
      },
    });
    return {
      url: `${localUrl('http', hostname, server.port ?? port)}/metrics`,
      stop: () => server.stop(true),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `metrics cannot be served on ${hostname}:${port}: ${reason}`,
      'check metrics_port and metrics_host',
    );
  }
}
