import { Resolver } from 'did-resolver';
import { getResolver as keyResolver } from 'key-did-resolver';
import { getResolver as webResolver } from 'web-did-resolver';

// A program of a stranger: prints what the resolvers say about the DIDs of its arguments, one line each.
const resolver = new Resolver({ ...webResolver(), ...keyResolver() });
for (const did of process.argv.slice(2)) {
  process.stdout.write(`${JSON.stringify(await resolver.resolve(did))}\n`);
}
