import type { Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { type Sample, samplesIn } from '@gateleg/testing/operation-samples'
import { type Cast, newCast, newPlace, type Place } from '@gateleg/testing/place'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type World } from '@gateleg/testing/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The operations that change something in a place. */
const writes = operations.filter(
  ({ useCase, feature }) =>
    useCase.kind === 'write' && !['accounts', 'accessTokens'].includes(feature),
)

function sampleOf(operation: Operation, place: Place, cast: Cast): Sample {
  const [feature = '', name = ''] = operation.name.split('.')
  const samples = samplesIn(place, cast) as unknown as Record<string, Record<string, Sample>>
  return [samples[feature]?.[name] ?? []].flat()[0] as Sample
}

describeOnEveryStorage('every change', (storage) => {
  let world: World
  let cast: Cast

  beforeAll(async () => {
    world = await openWorld(storage)
    cast = await newCast(world)
  })
  afterAll(() => world.close())

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
        const place = await newPlace(cast)
        const before = await pictureOf(place)
        await expect(
          call(op, sampleOf(op, place, cast), { ifMatch: [987_654] }),
        ).rejects.toMatchObject({ code: 'precondition_failed' })
        expect(await pictureOf(place)).toEqual(before)
      },
    )
  })

  describe('[CALL-2] is made once under one Idempotency-Key, and answers the same again', () => {
    test.each(writes.map((operation) => [operation.name, operation] as const))(
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

  test('[CALL-5] many calls at once under one key are one', async () => {
    const { spaces } = cast.owner.api
    const options = { idempotencyKey: 'at-once' }
    const calls = Array.from({ length: 20 }, () => spaces.createSpace({ name: 'Race' }, options))
    const made = new Set((await Promise.all(calls)).map(({ id }) => id))
    expect(made.size).toBe(1)
  })
})
