import type { Actor } from '@gateleg/domain/access/actor'
import type { Mailer } from '@gateleg/domain/accounts/mail/mailer'
import type { HumanCheck } from '@gateleg/domain/accounts/sign-up/human-check'
import { openSignUp, type SignUpPolicy } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { defaultSettings, type Settings } from '@gateleg/domain/settings'
import { KeptMail } from '../doubles/kept-mail.ts'
import {
  codeOf,
  type SaidClaims,
  SayingOpenIdClient,
  stateOf,
} from '../doubles/saying-open-id-client.ts'
import { openIdConfig } from '../factories/open-id-config.ts'
import type { TestStorage } from '../test-engine.ts'
import { openWorld, type Person, type World } from './world.ts'

/** A sign-in that has begun, as its beginning is answered. */
export interface BegunSignIn {
  readonly url: string
  readonly flow: string
}

/** A world in which people sign in by providers that say what they are told to. */
export interface SignInWorld extends World {
  readonly openIdClient: SayingOpenIdClient
  readonly mailer: KeptMail
  /** The administrator, who owns the space of the providers that nobody else is named for. */
  readonly owner: Person
  /** What may be changed while the world is open. */
  readonly changing: { policy: SignUpPolicy; publicUrl: string | undefined }
  addProvider(person?: Person, config?: object): Promise<string>
  start(providerId: string, more?: object): Promise<BegunSignIn>
  end(
    providerId: string,
    begun: BegunSignIn,
    claims: SaidClaims,
    more?: object,
  ): Promise<{ readonly redirect: string; readonly accessToken?: string | undefined }>
  signIn(
    providerId: string,
    claims: SaidClaims,
    more?: object,
  ): Promise<{ readonly redirect: string; readonly accessToken?: string | undefined }>
  /** The user of a session, and all operations called in it. */
  userOf(session: {
    readonly accessToken?: string | undefined
  }): Promise<Pick<Person, 'userId' | 'api'> & { readonly actor: Actor }>
}

/** Opens such a world, with more settings. Close it at the end of the tests. */
export async function openSignInWorld(
  storage: TestStorage,
  more: Partial<Settings> = {},
): Promise<SignInWorld> {
  const openIdClient = new SayingOpenIdClient()
  const mailer = new KeptMail()
  const changing = {
    policy: openSignUp as SignUpPolicy,
    publicUrl: 'https://gateleg.example/tools' as string | undefined,
  }
  // Asked anew by each call.
  const signUpPolicy = {
    get closed() {
      return changing.policy.closed
    },
    get inviteOnly() {
      return changing.policy.inviteOnly
    },
    get humanCheck() {
      return changing.policy.humanCheck as HumanCheck
    },
    get codeMailer() {
      return changing.policy.codeMailer as Mailer
    },
  }
  const settings = {
    ...{ ...defaultSettings, ...more },
    get publicUrl() {
      return changing.publicUrl as string
    },
  }
  const mail = { mailer, onFailure: () => undefined }
  const world = await openWorld(storage, { openIdClient, signUpPolicy, settings, mail })
  const owner = await world.newPerson('Owner')
  const identities = () => world.engine.public.identities
  const start: SignInWorld['start'] = (providerId, sent = {}) =>
    identities().startSignIn({ providerId, ...sent })
  const end: SignInWorld['end'] = (providerId, { url, flow }, claims, sent = {}) =>
    identities().finishSignIn({
      ...{ providerId, flow, state: stateOf(url), code: codeOf(claims), ...sent },
    })
  return {
    ...world,
    ...{ openIdClient, mailer, owner, changing, start, end },
    addProvider: async ({ api, spaceId } = owner, sent = openIdConfig) => {
      const given = { spaceId, type: 'oidc', name: 'City account', config: sent } as never
      return (await api.loginProviders.createLoginProvider(given)).id
    },
    signIn: async (providerId, claims, sent) =>
      end(providerId, await start(providerId, sent), claims),
    userOf: async ({ accessToken = '' }) => {
      const actor = await world.engine.authenticate(accessToken)
      if (actor?.kind !== 'user') throw new Error('no session')
      return { actor, api: world.engine.as(actor), userId: actor.userId }
    },
  }
}
