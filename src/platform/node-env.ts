/**
 * Must be imported first. The framework reads NODE_ENV when it is loaded. Outside production it quotes a
 * client's input in its messages, which throws for values such as `{"toString": false}`.
 */
Bun.env.NODE_ENV = 'production';
