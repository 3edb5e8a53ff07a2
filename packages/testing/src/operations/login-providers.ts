import fc from 'fast-check'
import { name, oddValue, ref, some } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

const secret = fc.constantFrom('secret', '********', '')
const url = fc.constantFrom('https://a.example/x', 'http://localhost:1/x', 'http://a.example', 'no')

const sent = fc.oneof(
  fc.record({
    type: fc.constant('feishu'),
    config: fc.oneof(
      { weight: 6, arbitrary: fc.record({ appId: fc.constant('app'), appSecret: secret }) },
      { weight: 1, arbitrary: some({ appId: oddValue, appSecret: oddValue, more: oddValue }) },
    ),
  }),
  fc.record({
    type: fc.constantFrom('oidc', 'oidc', 'oidc', 'saml'),
    config: fc.record({
      clientId: fc.constant('client'),
      clientSecret: secret,
      authorizationUrl: fc.constant('https://a.example/a'),
      tokenUrl: url,
      userInfoUrl: fc.constant('https://a.example/u'),
      issuer: fc.constant('https://a.example'),
    }),
  }),
)

/** The provider that is meant, in its space as a rule. */
function named(
  { provider, space }: { readonly provider: Ref; readonly space: Ref },
  { loginProviders, spaces }: ScriptState,
) {
  const found = loginProviders.find(provider)
  const spaceId = found?.spaceId ?? spaces.idOf(space)
  return { spaceId, authenticationId: loginProviders.idOf(provider) }
}

const one = fc.record({ provider: ref, space: ref })

export const loginProviderOperations: ScriptedFeature<'loginProviders'> = {
  createLoginProvider: scripted({
    weight: 2,
    args: fc.record({ space: ref, name, sent }),
    toInput: ({ space, name, sent }, { spaces }) => ({
      spaceId: spaces.idOf(space),
      name,
      ...sent,
    }),
    learn: ({ loginProviders }, { id }: { readonly id: string }, { spaceId }) =>
      loginProviders.add({ id, spaceId: String(spaceId) }),
  }),
  listLoginProviders: scripted({
    weight: 0.5,
    args: fc.record({ space: ref }),
    toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOf(space) }),
  }),
  getLoginProvider: scripted({ weight: 2, args: one, toInput: named }),
  updateLoginProvider: scripted({
    weight: 1.5,
    args: fc.record({ provider: ref, space: ref, name, sent }),
    toInput: ({ name, sent, ...args }, known) => ({ ...named(args, known), name, ...sent }),
  }),
  deleteLoginProvider: scripted({
    weight: 3,
    args: one,
    toInput: named,
    learn: ({ loginProviders }, _answer, { authenticationId }) =>
      loginProviders.drop(String(authenticationId)),
  }),
}

export const loginProviderSamples: SamplesIn<'loginProviders'> = ({
  spaceId,
  authenticationId,
}) => {
  const config = { appId: 'app', appSecret: 'secret' }
  const feishu = { spaceId, type: 'feishu', name: 'Feishu', config }
  return {
    createLoginProvider: { input: feishu },
    listLoginProviders: { input: { spaceId } },
    getLoginProvider: { input: { spaceId, authenticationId } },
    updateLoginProvider: { input: { ...feishu, authenticationId } },
    deleteLoginProvider: { input: { spaceId, authenticationId } },
  }
}
