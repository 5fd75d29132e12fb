/**
 * Imported before all else. The framework looks at NODE_ENV when it is loaded; outside production it puts what a client
 * sent into sentences of its own, which throws for values such as `{"toString": false}`.
 */
Bun.env.NODE_ENV = 'production';
