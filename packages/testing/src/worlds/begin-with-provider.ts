import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { SaidClaims } from '../doubles/saying-open-id-client.ts'
import type { TestStorage } from '../test-engine.ts'
import { type BegunSignIn, openSignInWorld, type SignInWorld } from './sign-in-world.ts'
import { type Person, testPassword } from './world.ts'

/** What such tests do, by the provider that they begin with unless it is said. */
interface SignInDeeds {
  /** Somebody new, who has an account with a password. */
  newPerson(): Promise<Person>
  /** Somebody new, who has an account with a password, and a provider in the space of their own. */
  newSpaceOwner(): Promise<{ readonly person: Person; readonly providerId: string }>
  /** A name that the provider has given to nobody yet. */
  newName(): string
  /** What the provider says of somebody whose address it has verified. */
  verified(name: string): SaidClaims & { readonly email: string }
  start(more?: object): Promise<BegunSignIn>
  end(begun: BegunSignIn, claims: SaidClaims, more?: object): ReturnType<SignInWorld['end']>
  signIn(claims: SaidClaims, more?: object): ReturnType<SignInWorld['signIn']>
  /** Links an identity to the account of who has a password. */
  link(person: Person, claims: SaidClaims, providerId?: string): ReturnType<SignInWorld['end']>
}

/**
 * Opens such a world for the tests of the block that is being declared, each of which begins with a provider of the owner alone, and
 * with a sign-up that is open.
 */
export function beginWithProvider(
  storage: TestStorage,
  begin: (world: SignInWorld, providerId: string) => void,
): SignInDeeds {
  let world: SignInWorld
  let shipped: SignInWorld['changing']
  let ownProviderId: string
  let people = 0
  let names = 0
  beforeAll(async () => {
    world = await openSignInWorld(storage)
    shipped = { ...world.changing }
  })
  beforeEach(async () => {
    Object.assign(world.changing, shipped)
    ownProviderId = await world.addProvider()
    begin(world, ownProviderId)
  })
  afterEach(async () => {
    const { api, spaceId } = world.owner
    for (const { id } of await api.loginProviders.listLoginProviders({ spaceId })) {
      await api.loginProviders.deleteLoginProvider({ spaceId, authenticationId: id })
    }
  })
  afterAll(() => world.close())
  const newPerson = () => world.newPerson(`Person${people++}`)
  return {
    newPerson,
    newSpaceOwner: async () => {
      const person = await newPerson()
      return { person, providerId: await world.addProvider(person) }
    },
    newName: () => `name${names++}`,
    verified: (name) => ({
      subject: name,
      email: `${name}@provider.example`,
      isEmailVerified: true,
    }),
    start: (more) => world.start(ownProviderId, more),
    end: (begun, claims, more) => world.end(ownProviderId, begun, claims, more),
    signIn: (claims, more) => world.signIn(ownProviderId, claims, more),
    link: async (person, claims, providerId = ownProviderId) => {
      const { api } = await world.userOf(person)
      const begun = await api.identities.startLinking({ providerId, password: testPassword })
      return world.end(providerId, begun, claims)
    },
  }
}
