import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { expect, test } from 'vitest'
import type { Store, WriteTx } from '../store.ts'
import type { AnswerKind } from '../use-case.ts'
import type { KeptAnswer } from './answer-repository.ts'
import { callOnce, findAnswer, toRepeatable } from './call-once.ts'

/** What is kept, unsealed, of a call that answers that. */
async function keptOf(answers: AnswerKind, answer: unknown): Promise<string | undefined> {
  const secrets = new NodeSecrets('a key of tests')
  const saved: KeptAnswer[] = []
  const repository = {
    find: async () => undefined,
    save: async (one: KeptAnswer) => {
      saved.push(one)
    },
  }
  const tx = { answers: repository, giveWay: async () => {} } as unknown as WriteTx
  const actor = { kind: 'user', userId: 'usr1' } as const
  const call = {
    name: 'a.b',
    actor,
    key: 'one',
    origin: {},
    input: {},
    answers,
    enter: async () => undefined,
  }
  const store = { giveWay: async () => {} } as unknown as Store
  const repeatable = await toRepeatable(call, { secrets, store })
  await callOnce(tx, repeatable, { secrets, clock: new FixedClock() }, async () => answer)
  return secrets.unseal(saved[0]?.sealedAnswer ?? '')
}

test('[CALL-7] keeps nothing of a secret, sealed or not', async () => {
  const answer = { accessToken: 'gateleg_acc1_secret', id: 'acc1' }
  expect(await keptOf('content', answer)).toContain('gateleg_acc1_secret')
  expect(await keptOf('secret', answer)).toBe('{}')
})

test('[CALL-8] nothing is written of an answer that is too large to be kept', async () => {
  let written = 0
  const cell = { toJSON: () => ++written }
  const record = { fields: { Text: 'x'.repeat(100_000), cell } }
  const answer = (count: number) => ({ records: Array.from({ length: count }, () => record) })
  expect(await keptOf('content', answer(2))).toContain('xxx')
  expect(written).toBe(2)
  expect(await keptOf('content', answer(11))).toBe('{"isTooLarge":true}')
  expect(written).toBe(2)
})

test('[CALL-2] knows the input of an answer that was kept when inputs were signed', async () => {
  const secrets = new NodeSecrets('a key of tests')
  const store = { giveWay: async () => {} } as unknown as Store
  const actor = { kind: 'user', userId: 'usr1' } as const
  const repeatable = (input: unknown) =>
    toRepeatable(
      {
        ...{ name: 'a.b', actor, key: 'one', origin: {}, input },
        ...{ answers: 'receipt' as const, enter: async () => undefined },
      },
      { secrets, store },
    )
  const { inputDigest } = await repeatable({ a: 1 })
  const kept: KeptAnswer = {
    keyHash: 'k',
    sealedInput: secrets.sign(JSON.stringify(['input', inputDigest])),
    sealedAnswer: secrets.seal('{"answer":7}'),
    expiresTime: '2100-01-01T00:00:00.000Z',
  }
  const tx = { answers: { find: async () => kept } } as unknown as WriteTx
  const ports = { secrets, clock: new FixedClock() }
  expect(await findAnswer(tx, await repeatable({ a: 1 }), ports)).toEqual({ answer: 7 })
  const other = findAnswer(tx, await repeatable({ a: 2 }), ports)
  await expect(other).rejects.toMatchObject({ code: 'unprocessable_entity' })
})
