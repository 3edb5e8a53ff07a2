import fc from 'fast-check'
import { codeOf, stateOf } from '../doubles/saying-open-id-client.ts'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

const redirect = fc.constantFrom('/', '/bases?x=1', '//other.example', 'no path')

/** What is said of somebody; the local part of an address, which is of this run alone. */
const said = fc.record(
  {
    subject: fc.constantFrom('a', 'b', 'c', 'ä', ''),
    local: fc.constantFrom('a', 'b', 'new'),
    isEmailVerified: fc.boolean(),
    name: fc.constantFrom('Ada', ' '),
  },
  { requiredKeys: ['subject'] },
)

interface Begun {
  readonly url: string
  readonly flow: string
}

function learnFlow(
  { signIns }: ScriptState,
  { url, flow }: Begun,
  input: { providerId?: unknown },
) {
  signIns.push({ providerId: String(input.providerId), flow, state: stateOf(url) })
}

const provided = ({ provider }: { readonly provider: Ref }, { loginProviders }: ScriptState) => ({
  providerId: loginProviders.idOf(provider),
})

export const identityOperations: ScriptedFeature<'identities'> = {
  listSignInProviders: scripted({
    weight: 0.5,
    args: fc.record({ space: ref }),
    toInput: ({ space }, { spaces }) => ({ spaceId: spaces.idOf(space) }),
  }),
  startSignIn: scripted({
    weight: 1,
    args: fc.record({ provider: ref, redirect }),
    toInput: ({ redirect, ...args }, known) => ({ ...provided(args, known), redirect }),
    learn: learnFlow,
  }),
  finishSignIn: scripted({
    weight: 1.5,
    args: fc.record({ begun: fc.nat({ max: 2 }), said }),
    toInput: ({ begun, said: { local, ...said } }, { signIns, mark }) => {
      const { providerId = 'unknown', flow, state = 'none' } = signIns.at(-1 - begun) ?? {}
      const email = local && `${local}.${mark}@provider.example`
      return { providerId, flow, state, code: codeOf({ ...said, email }) }
    },
  }),
  startLinking: scripted({
    weight: 0.5,
    args: fc.record({
      provider: ref,
      redirect,
      password: fc.constantFrom('correct horse 1', 'correct horse 1', 'wrong password 1'),
    }),
    toInput: ({ redirect, password, ...args }, known) => ({
      ...provided(args, known),
      ...{ redirect, password },
    }),
    learn: learnFlow,
  }),
  listIdentities: scripted({
    weight: 0.5,
    args: fc.constant({}),
    learn: (known, found: readonly { readonly id: string }[]) => {
      for (const identity of found) known.identities.add(identity)
    },
  }),
  unlinkIdentity: scripted({
    weight: 0.5,
    args: fc.record({ identity: ref }),
    toInput: ({ identity }, { identities }) => ({ identityId: identities.idOf(identity) }),
    learn: (known, _answer, { identityId }) => known.identities.drop(String(identityId)),
  }),
}
