// A provider of identities made with oidc-provider, whose users are whoever they say. Arguments: folder with
// node_modules, port, redirect URI of the one application, which is `lists` with the secret `hunter2`.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, port, redirectUri] = process.argv.slice(2);
const path = createRequire(`${folder}/`).resolve('oidc-provider');
const { default: Provider } = await import(pathToFileURL(path));

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'lists', client_secret: 'hunter2', redirect_uris: [redirectUri] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  cookies: { keys: ['a', 'b'] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: !id.startsWith('unproven') }),
  }),
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
