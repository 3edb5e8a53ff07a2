import type { Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import type { Actor } from '@gateleg/domain/access/actor'
import { type Action, actions } from '@gateleg/domain/access/roles'
import type { Sample } from '@gateleg/testing/operations/operation-sample'
import { samplesIn } from '@gateleg/testing/operations/operation-samples'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { beginWithCast } from '@gateleg/testing/worlds/begin-with-cast'
import { type Cast, newPlace, type Place } from '@gateleg/testing/worlds/place'
import type { World } from '@gateleg/testing/worlds/world'
import { describe, expect, test } from 'vitest'

/** Whether an output has a member that is a secret by its name. */
function showsSecret(output: unknown): boolean {
  const { shape = {} } = output as { readonly shape?: object }
  return ['accessToken', 'access_token', 'token', 'code', 'secret', 'flow'].some(
    (name) => name in shape,
  )
}

/** Features whose operations are about no place: those of shares are shown to be repeatable where forms are. */
const placeless: readonly string[] = [
  'accounts',
  'accessTokens',
  'shares',
  'plugins',
  'pluginGrants',
  'oauthClients',
  'oauthGrants',
  'identities',
  'pins',
  'lastVisits',
]

/** Operations whose answer has the member of a secret, which is asterisks there. */
const masking: readonly string[] = ['plugins.updatePlugin']

/** Operations whose answer has a secret in an address. */
const leading: readonly string[] = [
  'oauthGrants.decideAuthorization',
  'oauthGrants.startAuthorization',
]

/** The operations that change something in a place. */
const writes = operations.filter(
  ({ useCase, feature }) => useCase.kind === 'write' && !placeless.includes(feature),
)

function sampleOf(operation: Operation, place: Place, cast: Cast): Sample {
  const [feature = '', name = ''] = operation.name.split('.')
  const samples = samplesIn(place, cast) as unknown as Record<string, Record<string, Sample>>
  return [samples[feature]?.[name] ?? []].flat()[0] as Sample
}

describeOnEveryStorage('every change', (storage) => {
  let world: World
  let cast: Cast
  let unchanged: Place

  beginWithCast(storage, (opened) => {
    ;({ world, cast, unchanged } = opened)
  })

  const call = (
    { name }: Operation,
    sample: Sample,
    options: { ifMatch?: readonly number[]; idempotencyKey?: string },
  ) => world.engine.call(name, { kind: 'user', userId: cast.owner.userId }, sample.input, options)

  async function pictureOf({ spaceId, baseId }: Place): Promise<unknown> {
    const { api } = cast.owner
    const listed = (await api.spaces.listSpaces({})).map(({ name }) => name)
    if (!(await api.spaces.listSpaces({})).some(({ id }) => id === spaceId)) return listed
    const bases = await api.bases.listBases({ spaceId })
    const people = await api.collaborators.listSpaceCollaborators({ spaceId })
    const verified =
      bases.some(({ id }) => id === baseId) && (await api.bases.verifyBase({ baseId }))
    return [listed, bases, people, verified]
  }

  describe('[CALL-1] is refused under If-Match when its resource has another version', () => {
    test.each(writes.map((operation) => [operation.name, operation] as const))(
      '%s',
      async (_, op) => {
        const before = await pictureOf(unchanged)
        await expect(
          call(op, sampleOf(op, unchanged, cast), { ifMatch: [987_654] }),
        ).rejects.toMatchObject({ code: 'precondition_failed' })
        expect(await pictureOf(unchanged)).toEqual(before)
      },
    )
  })

  describe('[CALL-2] is made once under one Idempotency-Key, and answers the same again', () => {
    const repeated = writes.filter(
      ({ useCase }) => useCase.kind === 'write' && useCase.answers !== 'secret',
    )
    // What is kept of an answer is of the same kind for all of a feature: elsewhere one of each has to do.
    const ofFeatures = [...Map.groupBy(repeated, ({ feature }) => feature).values()]
    const some = ofFeatures.flatMap(([first]) => first ?? [])
    const shown = storage.name === 'sqlite' ? repeated : some
    test.each(shown.map((operation) => [operation.name, operation] as const))(
      '%s',
      async (_, op) => {
        const place = await newPlace(cast)
        const sample = sampleOf(op, place, cast)
        const options = { idempotencyKey: `key-of-${place.spaceId}` }
        const first = await call(op, sample, options)
        const after = await pictureOf(place)
        expect(await call(op, sample, options)).toEqual(first)
        expect(await pictureOf(place)).toEqual(after)
        const other = { input: { ...sample.input, name: 'Another name' } }
        const input = op.useCase.input.safeParse(other.input)
        const isAnother =
          JSON.stringify(input.data) !== JSON.stringify(op.useCase.input.parse(sample.input))
        if (!isAnother) return
        await expect(call(op, other, options)).rejects.toMatchObject({
          code: 'unprocessable_entity',
        })
      },
    )
  })

  test('[CALL-1] [CALL-2] what is changed of a plugin is refused under If-Match, and made once under a key', async () => {
    const { plugins } = cast.owner.api
    const settings = {
      name: 'Slips',
      logo: 'https://plugins.example.com/slips.png',
      positions: ['panel' as const],
    }
    const { id: pluginId, version } = await plugins.createPlugin(settings)
    const changed = { ...settings, pluginId, description: 'Prints slips' }
    const other = { ifMatch: [987_654] }
    for (const refused of [
      () => plugins.updatePlugin(changed, other),
      () => plugins.submitPlugin({ pluginId }, other),
      () => plugins.regeneratePluginSecret({ pluginId }, other),
      () => plugins.deletePlugin({ pluginId }, other),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'precondition_failed' })
    }
    expect((await plugins.getPlugin({ pluginId })).version).toBe(version)
    const options = { idempotencyKey: 'of-a-plugin' }
    const first = await plugins.updatePlugin(changed, options)
    expect(await plugins.updatePlugin(changed, options)).toEqual(first)
    await plugins.submitPlugin({ pluginId }, options)
    await plugins.submitPlugin({ pluginId }, options)
    expect(await plugins.getPlugin({ pluginId })).toMatchObject({
      status: 'reviewing',
      version: version + 2,
    })
  })

  test('[CALL-3] an answer is forgotten after 24 hours, and a refused call keeps none', async () => {
    const { spaces } = cast.owner.api
    const options = { idempotencyKey: 'made-once' }
    await expect(spaces.createSpace({ name: '' }, options)).rejects.toMatchObject({
      code: 'validation_error',
    })
    const { id } = await spaces.createSpace({ name: 'Once' }, options)
    world.clock.advance(24 * 3_600_000 - 1)
    expect((await spaces.createSpace({ name: 'Once' }, options)).id).toBe(id)
    world.clock.advance(1)
    expect((await spaces.createSpace({ name: 'Once' }, options)).id).not.toBe(id)
  })

  test('[CALL-4] a key is its caller’s own, and is legible text', async () => {
    const options = { idempotencyKey: 'shared' }
    const mine = await cast.owner.api.spaces.createSpace({ name: 'Mine' }, options)
    const theirs = await cast.stranger.api.spaces.createSpace({ name: 'Mine' }, options)
    expect(theirs.id).not.toBe(mine.id)
    for (const idempotencyKey of ['', 'with space', 'ünïcode', 'x'.repeat(256)]) {
      await expect(
        cast.owner.api.spaces.createSpace({ name: 'Mine' }, { idempotencyKey }),
      ).rejects.toMatchObject({ code: 'validation_error' })
    }
  })

  test('[CALL-4] a key is the session’s or token’s own, not its user’s', async () => {
    const { userId } = cast.owner
    const token = { kind: 'token', userId, scopes: new Set(actions) } as const
    const callers: readonly Actor[] = [
      { kind: 'user', userId },
      { kind: 'user', userId, sessionId: 'sesOne' },
      { kind: 'user', userId, sessionId: 'sesTwo' },
      { ...token, tokenId: 'accOne' },
      { ...token, tokenId: 'accTwo' },
    ]
    const made = new Set<unknown>()
    for (const actor of callers) {
      const options = { idempotencyKey: 'of-one-credential' }
      const first = await world.engine.call('spaces.createSpace', actor, { name: 'Own' }, options)
      expect(
        await world.engine.call('spaces.createSpace', actor, { name: 'Own' }, options),
      ).toEqual(first)
      made.add((first as { id: string }).id)
    }
    expect(made.size).toBe(callers.length)
  })

  test('[CALL-6] who may no longer read is not answered what they were answered before', async () => {
    const place = await newPlace(cast)
    const { spaceId, tableId, recordId } = place
    const { editor } = cast.byRole
    const options = { idempotencyKey: 'before-the-removal' }
    const input = { tableId, recordId, record: { fields: {} } }
    const answer = await editor.api.records.updateRecord(input, options)
    expect(await editor.api.records.updateRecord(input, options)).toEqual(answer)
    const principal = { principalId: editor.userId, principalType: 'user' } as const
    await cast.owner.api.collaborators.removeSpaceCollaborator({ spaceId, ...principal })
    await expect(editor.api.records.updateRecord(input, options)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('[CALL-6] a token is not answered what it saw before its scopes were changed', async () => {
    const { tableId, recordId } = await newPlace(cast)
    const token = { kind: 'token', userId: cast.owner.userId, tokenId: 'accTest' } as const
    const update = (scopes: readonly Action[]) =>
      world.engine.call(
        'records.updateRecord',
        { ...token, scopes: new Set(scopes) },
        { tableId, recordId, record: { fields: { Name: 'Seen' } } },
        { idempotencyKey: 'before-the-change' },
      )
    const seeing = ['record|update', 'record|read'] as const
    expect(await update(seeing)).toMatchObject({ fields: { Name: 'Seen' } })
    expect(await update(seeing.toReversed())).toMatchObject({ fields: { Name: 'Seen' } })
    expect(await update(['record|update'])).toHaveProperty('fields', {})
  })

  test('[CALL-8] what answered too much to be kept is not made again, and says so', async () => {
    const { tableId } = await newPlace(cast)
    const options = { idempotencyKey: 'of-a-large-answer' }
    const { records } = cast.owner.api
    const input = { tableId, records: [{ fields: { Name: 'Large' } }] }
    await withLimits({ keptAnswerLength: 100 }, () => records.createRecords(input, options))
    const before = (await records.listRecords({ tableId })).records.length
    await expect(records.createRecords(input, options)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('too large'),
    })
    expect((await records.listRecords({ tableId })).records).toHaveLength(before)
  })

  describe('[CALL-7] a secret is answered once', () => {
    const options = { idempotencyKey: 'of-a-secret' }
    const credentials = { email: 'secret@example.com', password: 'A-good-password-1' }

    test('of a sign-up and a sign-in, whatever the repetition holds', async () => {
      const { accounts } = world.engine.public
      for (const enter of [accounts.signUp, accounts.signIn]) {
        await enter(credentials, options)
        for (const guess of [credentials, { ...credentials, password: 'A-wrong-password-1' }]) {
          await expect(enter(guess, options)).rejects.toMatchObject({ code: 'conflict' })
        }
      }
      await expect(
        accounts.signIn(credentials, { idempotencyKey: 'of-another-secret' }),
      ).resolves.toMatchObject({ email: credentials.email })
    })

    test('of an access token', async () => {
      const { accessTokens } = cast.owner.api
      const input = { name: 'Once', scopes: ['space|read' as const], expiredTime: '2999-01-01' }
      const { id } = await accessTokens.createToken(input, options)
      await expect(accessTokens.createToken(input, options)).rejects.toMatchObject({
        code: 'conflict',
      })
      expect((await accessTokens.listTokens({})).map((token) => token.id)).toEqual([id])
    })

    test('by every operation that answers one', () => {
      const secrets = operations
        .filter(({ useCase }) => useCase.kind === 'write' && useCase.answers === 'secret')
        .map(({ name }) => name)
      const answering = operations
        .filter(({ useCase }) => useCase.kind === 'write' && showsSecret(useCase.output))
        .map(({ name }) => name)
      expect([...secrets, ...masking].toSorted()).toEqual([...answering, ...leading].toSorted())
    })
  })

  test('[CALL-5] many calls at once under one key are one', async () => {
    const { spaces } = cast.owner.api
    const options = { idempotencyKey: 'at-once' }
    const calls = Array.from({ length: 20 }, () => spaces.createSpace({ name: 'Race' }, options))
    const made = new Set((await Promise.all(calls)).map(({ id }) => id))
    expect(made.size).toBe(1)
  })
})
