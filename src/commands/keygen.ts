import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { base64urlnopad } from '@scure/base';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { nativePrimitives } from '../platform/crypto/crypto.ts';
import { Failure } from '../platform/failure.ts';
import { requireWritable, writeSecretFile } from '../platform/files/write.ts';
import { bytesToHex } from '../proof/encoding/hex.ts';
import { kidOf, publicKeyMultibase } from '../proof/keys/kid.ts';

export function keygenCommand(): Command {
  return new Command('keygen')
    .description('create an Ed25519 key pair: the private key in a file, the public key on stdout')
    .helpGroup(GROUPS.agents)
    .addHelpText('after', examples(['Make the key of an agent', 'countersign keygen --out agent.pem']))
    .requiredOption('--out <file>', 'the file for the private key (PKCS #8 PEM, mode 0600)')
    .action(({ out }: { out: string }) => {
      if (existsSync(out)) throw new Failure(`${out} already exists`, 'specify another file with --out');
      requireWritable(out);
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const raw = base64urlnopad.decode(publicKey.export({ format: 'jwk' }).x ?? '');
      writeSecretFile(out, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      const output = {
        kid: kidOf(nativePrimitives, raw),
        public_key: bytesToHex(raw),
        public_key_multibase: publicKeyMultibase(raw),
        private_key_file: out,
      };
      process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
    });
}
