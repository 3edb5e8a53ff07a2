import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Api, PublicApi } from '@gateleg/domain/api'
import { useCases } from '@gateleg/domain/use-cases'
import { expect, expectTypeOf, test } from 'vitest'
import { openEngine } from './open-engine.ts'

const storage = () => sqlite({ file: ':memory:' })
const password = 'A-good-password-1'

test('[ENGINE-17] the public has the operations that need no account, and no others', async () => {
  await using engine = await openEngine({ storage: storage() })
  const shown = Object.entries(engine.public).map(([name, calls]) => [name, Object.keys(calls)])
  expect(shown).toEqual([
    [
      'accounts',
      ['signUp', 'sendSignUpCode', 'signIn', 'readAvatar', 'sendPasswordReset', 'resetPassword'],
    ],
    ['identities', ['listSignInProviders', 'startSignIn', 'finishSignIn']],
    ['oauthGrants', ['createTokens', 'revokeToken']],
    ['pluginGrants', ['createPluginToken', 'refreshPluginToken']],
    ['shares', Object.keys(useCases.shares)],
    ['attachments', ['readAttachment']],
  ])
  expectTypeOf<keyof PublicApi>().toEqualTypeOf<
    'accounts' | 'attachments' | 'identities' | 'oauthGrants' | 'pluginGrants' | 'shares'
  >()
  expectTypeOf<PublicApi['shares']>().toEqualTypeOf<Api['shares']>()
  expectTypeOf<keyof PublicApi['accounts']>().toEqualTypeOf<
    'signUp' | 'sendSignUpCode' | 'signIn' | 'sendPasswordReset' | 'resetPassword' | 'readAvatar'
  >()
  expectTypeOf<PublicApi['accounts']['signUp']>().toEqualTypeOf<Api['accounts']['signUp']>()
})

test('[ENGINE-17] an input without a required member may be left out, and no other', async () => {
  await using engine = await openEngine({ storage: storage() })
  const { id: userId } = await engine.public.accounts.signUp({ email: 'ada@example.com', password })
  const { spaces } = engine.as({ userId })
  const [space] = await spaces.listSpaces()
  expect([space]).toEqual(await spaces.listSpaces({}))
  const { id } = await spaces.createSpace()
  expect(await spaces.listSpaces()).toHaveLength(2)
  // @ts-expect-error: which space it is must be said
  await expect(spaces.getSpace()).rejects.toMatchObject({ code: 'validation_error' })
  // @ts-expect-error: a number is no name
  await expect(spaces.createSpace({ name: 1 })).rejects.toMatchObject({ code: 'validation_error' })
  expect(await spaces.getSpace({ spaceId: id })).toMatchObject({ id })
})
