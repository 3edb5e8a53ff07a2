import { CredentialEnded } from '@gateleg/domain/access/live-credentials'
import type { Api } from '@gateleg/domain/api'
import type { Engine } from '@gateleg/engine/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenEngines, openEngines } from './open-engines.ts'
import { isOn, storageNames } from './storages.ts'

const password = 'correct horse 1'

/** What Ada shares with Bob, and what he calls with. */
interface Shared {
  readonly spaceId: string
  readonly baseId: string
  readonly tableId: string
  readonly recordId: string
  readonly bobId: string
  /** The access token of a session of his, and a token of his own making with its id. */
  readonly session: string
  readonly token: string
  readonly tokenId: string
}

describe.each(storageNames.filter(isOn))('what is taken away on %s', (storage) => {
  let opened: OpenEngines
  let ada: Api
  let people = 0

  beforeAll(async () => {
    opened = await openEngines[storage]()
    const [engine] = opened.engines as [Engine]
    const user = await engine.public.accounts.signUp({ email: 'ada@example.com', password })
    ada = engine.as({ userId: user.id })
  })
  afterAll(() => opened.close())

  const share = async (): Promise<Shared> => {
    const [engine] = opened.engines as [Engine]
    const email = `bob${++people}@example.com`
    const bob = await engine.public.accounts.signUp({ email, password })
    const { id: spaceId } = await ada.spaces.createSpace({ name: 'Shared' })
    const { id: baseId } = await ada.bases.createBase({ spaceId })
    const { id: tableId, records } = await ada.tables.createTable({
      baseId,
      records: [{ fields: {} }],
    })
    const collaborators = [{ principalId: bob.id, principalType: 'user' as const }]
    await ada.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'editor' })
    const actor = await engine.authenticate(bob.accessToken)
    const made = await engine.as(actor as never).accessTokens.createToken({
      name: 'Program',
      scopes: ['record|read', 'record|update', 'table|read'],
      hasFullAccess: true,
      expiredTime: '2999-01-01',
    })
    return {
      ...{ spaceId, baseId, tableId, recordId: records[0]?.id ?? '' },
      ...{ bobId: bob.id, session: bob.accessToken },
      ...{ token: made.token, tokenId: made.id },
    }
  }

  const as = async (engine: Engine, credential: string, mayVerifyLater = false): Promise<Api> => {
    const actor = await engine.authenticate(credential, { mayVerifyLater })
    if (!actor) throw Object.assign(new Error('nobody'), { code: 'unauthorized' })
    return engine.as(actor as never)
  }

  /** Calls as a server does: the call looks the credential up, and a changed one is found anew. */
  const calling = async (engine: Engine, credential: string, call: (api: Api) => unknown) => {
    try {
      return await call(await as(engine, credential, true))
    } catch (error) {
      if (!(error instanceof CredentialEnded)) throw error
      return call(await as(engine, credential))
    }
  }

  type Calling = (engine: Engine, credential: string, shared: Shared) => Promise<unknown>
  const read: (shared: Shared) => (api: Api) => unknown =
    ({ tableId, recordId }) =>
    ({ records }) =>
      records.getRecord({ tableId, recordId })
  const write: typeof read =
    ({ tableId, recordId }) =>
    ({ records }) =>
      records.updateRecord({ tableId, recordId, record: { fields: {} } })
  const reading: Calling = async (engine, credential, shared) =>
    read(shared)(await as(engine, credential))
  const writing: Calling = async (engine, credential, shared) =>
    write(shared)(await as(engine, credential))
  const readingAtOnce: Calling = (engine, credential, shared) =>
    calling(engine, credential, read(shared))
  const writingAtOnce: Calling = (engine, credential, shared) =>
    calling(engine, credential, write(shared))

  const bobOf = async ({ session }: Shared) => as(opened.engines[0] as Engine, session)

  /** How each way in is ended, and what the next call by a session and by a token is answered, undefined if it succeeds. */
  const endings: readonly (readonly [
    name: string,
    end: (shared: Shared) => Promise<unknown>,
    expected: { readonly read: readonly unknown[]; readonly write: readonly unknown[] },
  ])[] = [
    [
      'a session that was signed out',
      async (shared) => (await bobOf(shared)).accounts.signOut({}),
      { read: ['unauthorized', undefined], write: ['unauthorized', undefined] },
    ],
    [
      'a token that was deleted',
      async (shared) => (await bobOf(shared)).accessTokens.deleteToken({ id: shared.tokenId }),
      { read: [undefined, 'unauthorized'], write: [undefined, 'unauthorized'] },
    ],
    [
      'a token that may do less',
      async (shared) =>
        (await bobOf(shared)).accessTokens.updateToken({
          id: shared.tokenId,
          name: 'Program',
          scopes: ['record|read', 'table|read'],
          hasFullAccess: true,
        }),
      { read: [undefined, undefined], write: [undefined, 'restricted_resource'] },
    ],
    [
      'a collaborator who may do less',
      ({ spaceId, bobId }) =>
        ada.collaborators.changeSpaceCollaborator({
          spaceId,
          principalId: bobId,
          principalType: 'user',
          role: 'viewer',
        }),
      {
        read: [undefined, undefined],
        write: ['restricted_resource', 'restricted_resource'],
      },
    ],
    [
      'a collaborator who was removed',
      ({ spaceId, bobId }) =>
        ada.collaborators.removeSpaceCollaborator({
          spaceId,
          principalId: bobId,
          principalType: 'user',
        }),
      { read: ['not_found', 'not_found'], write: ['not_found', 'not_found'] },
    ],
    [
      'a base that moved into another space',
      async ({ baseId }) => {
        const { id: spaceId } = await ada.spaces.createSpace({ name: 'Elsewhere' })
        await ada.bases.moveBaseToSpace({ baseId, spaceId })
      },
      { read: ['not_found', 'not_found'], write: ['not_found', 'not_found'] },
    ],
    [
      'a table that was deleted',
      ({ baseId, tableId }) => ada.tables.deleteTable({ baseId, tableId }),
      { read: ['not_found', 'not_found'], write: ['not_found', 'not_found'] },
    ],
    [
      'a table that was deleted for good, on the thread of long writes',
      ({ baseId, tableId }) => ada.tables.deleteTablePermanently({ baseId, tableId }),
      { read: ['not_found', 'not_found'], write: ['not_found', 'not_found'] },
    ],
    [
      'a base that was deleted',
      ({ baseId }) => ada.bases.deleteBase({ baseId }),
      { read: ['not_found', 'not_found'], write: ['not_found', 'not_found'] },
    ],
    [
      'a space that was deleted',
      ({ spaceId }) => ada.spaces.deleteSpace({ spaceId }),
      { read: ['not_found', 'not_found'], write: ['not_found', 'not_found'] },
    ],
  ]

  test.each(endings)(
    '[ACCESS-13] %s: calls that begin after the answer are refused, in every process',
    async (_name, end, expected) => {
      const shared = await share()
      const credentials = [shared.session, shared.token]
      const codes = (call: Calling) =>
        Promise.all(
          opened.engines.map((engine) =>
            Promise.all(
              credentials.map((credential) =>
                call(engine, credential, shared).then(
                  () => undefined,
                  (error) => error.code,
                ),
              ),
            ),
          ),
        )
      const everywhere = (each: readonly unknown[]) => opened.engines.map(() => each)
      // Twice: what a process keeps in memory is there by the second time.
      for (const call of [reading, writing, readingAtOnce, writingAtOnce, reading, writing]) {
        expect(await codes(call)).toEqual(everywhere([undefined, undefined]))
      }
      await end(shared)
      expect(await codes(readingAtOnce)).toEqual(everywhere(expected.read))
      expect(await codes(writingAtOnce)).toEqual(everywhere(expected.write))
      expect(await codes(reading)).toEqual(everywhere(expected.read))
      expect(await codes(writing)).toEqual(everywhere(expected.write))
    },
  )
})
