// An application made with openid-client: prints where its user is sent to, reads where the user comes back to, and
// uses, renews and revokes what it gets. Arguments: folder with node_modules, issuer, client_id, client_secret (blank
// for a public application), redirect URI.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, issuer, id, secret, redirectUri] = process.argv.slice(2);
const path = createRequire(`${folder}/`).resolve('openid-client');
const oauth = await import(pathToFileURL(path));

const proof = secret ? oauth.ClientSecretBasic(secret) : oauth.None();
const config = await oauth.discovery(new URL(issuer), id, undefined, proof, {
  algorithm: 'oauth2',
  execute: [oauth.allowInsecureRequests],
});
const verifier = oauth.randomPKCECodeVerifier();
const state = oauth.randomState();
const url = oauth.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'manage_members read',
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});
console.log(url.href);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const back = new URL((await lines.next()).value);

const first = await oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
const lists = async (token) =>
  (await oauth.fetchProtectedResource(config, token, new URL('/api/2/lists/', issuer), 'GET')).json();
const check = (holds, what) => {
  if (!holds) throw new Error(what);
};
check((await lists(first.access_token)).data[0].name === 'news', 'the list is read');
check(first.scope === 'read manage_members', `the scope is ${first.scope}`);
const second = await oauth.refreshTokenGrant(config, first.refresh_token);
check((await lists(second.access_token)).count === 1, 'the new token reads');
await oauth.tokenRevocation(config, second.refresh_token);
const refused = await lists(second.access_token).then(
  (answer) => answer.is_error === true,
  () => true,
);
check(refused, 'a revoked token reads nothing');
console.log('passed');
process.exit(0);
