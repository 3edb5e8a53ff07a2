import { actions } from '@gateleg/domain/access/roles'
import fc from 'fast-check'
import { description, name, ref } from '../scripts/arguments.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

const place = fc.constantFrom(
  ...['https://a.example/back', 'http://127.0.0.1/back', 'http://a.example/back', 'a.example'],
)

const settings = fc.record(
  {
    name: fc.oneof(fc.constantFrom('Slips', ' Maps '), name),
    description,
    homepage: fc.constantFrom('https://a.example', 'https://b.example/?x=1', 'javascript:alert(1)'),
    logo: fc.constantFrom('https://a.example/logo.png', null),
    scopes: fc.subarray([...actions]),
    redirectUris: fc.oneof(
      { weight: 4, arbitrary: fc.constant(['https://a.example/back']) },
      { weight: 1, arbitrary: fc.array(place, { maxLength: 3 }) },
    ),
  },
  { requiredKeys: ['name', 'homepage', 'redirectUris'] },
)

/** An operation that is told the app alone. */
const args = fc.record({ client: ref })

export const oauthClientOperations: ScriptedFeature<'oauthClients'> = {
  createClient: scripted({
    weight: 1,
    args: settings,
    learn: ({ oauthClients }, { clientId }: { readonly clientId: string }) =>
      oauthClients.add({ id: clientId }),
  }),
  listClients: scripted({ weight: 0.3, args: fc.constant({}) }),
  getClient: scripted({
    weight: 0.5,
    args,
    toInput: ({ client }, { oauthClients }) => ({ clientId: oauthClients.idOf(client) }),
  }),
  updateClient: scripted({
    weight: 0.5,
    args: fc.record({ client: ref, settings }),
    toInput: ({ client, settings }, { oauthClients }) => ({
      ...settings,
      clientId: oauthClients.idOf(client),
    }),
  }),
  deleteClient: scripted({
    weight: 0.2,
    args,
    toInput: ({ client }, { oauthClients }) => ({ clientId: oauthClients.idOf(client) }),
    learn: ({ oauthClients }, _answer, { clientId }) => oauthClients.drop(String(clientId)),
  }),
  createSecret: scripted({
    weight: 0.5,
    args,
    toInput: ({ client }, { oauthClients }) => ({ clientId: oauthClients.idOf(client) }),
    learn: (
      { oauthSecrets },
      { id, secret }: { readonly id: string; readonly secret: string },
      { clientId },
    ) => oauthSecrets.add({ id, clientId: String(clientId), text: secret }),
  }),
  deleteSecret: scripted({
    weight: 0.2,
    args: fc.record({ secret: ref }),
    toInput: ({ secret }, { oauthSecrets }) => {
      const { id, clientId } = oauthSecrets.find(secret) ?? { id: 'oasNone', clientId: 'oacNone' }
      return { clientId, secretId: id }
    },
    learn: ({ oauthSecrets }, _answer, { secretId }) => oauthSecrets.drop(String(secretId)),
  }),
}
