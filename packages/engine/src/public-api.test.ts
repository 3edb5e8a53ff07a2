import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Api, PublicApi } from '@gateleg/domain/api'
import type { SentFilter } from '@gateleg/domain/fields/filter'
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

test('[ENGINE-17] a filter has the members and operators that there are', async () => {
  await using engine = await openEngine({ storage: storage() })
  const { id: userId } = await engine.ensureUser({ name: 'Ada' })
  const { bases, spaces, tables, records } = engine.as({ userId })
  const { id: spaceId } = await spaces.createSpace()
  const { id: baseId } = await bases.createBase({ spaceId })
  const { id: tableId } = await tables.createTable({ baseId, records: [{ fields: { Name: 'x' } }] })
  const list = async (filter: SentFilter) =>
    (await records.listRecords({ tableId, filter })).records.length
  const is = { fieldId: 'Name', operator: 'is', value: 'x' } as const
  const not = { fieldId: 'Name', operator: '!=', isSymbol: true, value: 'x' } as const
  const within = { conjunction: 'or', filterSet: [is, not] } as const
  expect(await list({ conjunction: 'and', filterSet: [is, within] })).toBe(1)
  expect(await list({ conjunction: 'and', filterSet: [not, within] })).toBe(0)
  const refusal = { code: 'validation_error' }
  // @ts-expect-error: a number is no filter
  await expect(records.listRecords({ tableId, filter: 5 })).rejects.toMatchObject(refusal)
  // @ts-expect-error: there is no such operator
  const misspelt = list({ conjunction: 'and', filterSet: [{ ...is, operator: 'iz' }] })
  await expect(misspelt).rejects.toMatchObject(refusal)
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
