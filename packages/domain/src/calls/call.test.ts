import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { signedIn } from '../access/guard.ts'
import { noThumbnails } from '../attachments/thumbnails/thumbnail-maker.ts'
import { Plans } from '../billing/plans.ts'
import type { KeptAnswer } from '../idempotency/answer-repository.ts'
import { defaultSettings } from '../settings.ts'
import type { Store, WriteTx } from '../store.ts'
import { defineWrite } from '../use-case.ts'
import { type Call, toCall } from './call.ts'

type Work = (tx: WriteTx) => Promise<unknown>

/** A storage that keeps answers and nothing else. */
class AnswerStore {
  #kept: ReadonlyMap<string, KeptAnswer> = new Map()

  write(work: Work): Promise<unknown> {
    const answers = {
      find: async (keyHash: string) => this.#kept.get(keyHash),
      save: async (answer: KeptAnswer) => {
        this.#kept = new Map(this.#kept).set(answer.keyHash, answer)
      },
    }
    return work({ answers, giveWay: async () => {} } as unknown as WriteTx)
  }

  /** A transaction that is undone. */
  async writeInVain(work: Work): Promise<void> {
    const kept = this.#kept
    await this.write(work)
    this.#kept = kept
  }
}

/** A use case that notes what is done for each of its calls, which are numbered as they are prepared. */
function noting(deeds: string[], onPrepare: (number: number) => Promise<unknown>) {
  let calls = 0
  return defineWrite({
    summary: 'Note what is done',
    input: z.object({}),
    output: z.object({ number: z.number() }),
    access: signedIn(),
    prepare: async () => {
      const number = ++calls
      deeds.push(`prepare ${number}`)
      await onPrepare(number)
      return number
    },
    abandon: async (_, number) => {
      deeds.push(`abandon ${number}`)
    },
    run: async ({ afterCommit, prepared: number }) => {
      afterCommit(() => deeds.push(`after ${number}`))
      return { number }
    },
  })
}

/** Makes calls with one and the same `Idempotency-Key`. */
function toCallWithKey(useCase: Parameters<typeof toCall>[1], write: AnswerStore['write']) {
  const ports = {
    store: { write, giveWay: async () => {} } as unknown as Store,
    secrets: new NodeSecrets('a key of tests'),
    clock: new FixedClock(),
    settings: defaultSettings,
    thumbnails: noThumbnails,
    ids: new CountingIds(),
    plans: new Plans(),
  }
  const call: Call = toCall('notes.note', useCase, ports, (_, run) => run())
  const actor = { kind: 'user', userId: 'usr1', sessionId: 'ses1' } as const
  return () => call(actor, {}, { idempotencyKey: 'one' })
}

test('[CALL-5] [ENGINE-60] gives up what was prepared for a call when another one with its key was answered meanwhile', async () => {
  const store = new AnswerStore()
  const deeds: string[] = []
  const useCase = noting(deeds, async (number) => number === 1 && call())
  const call = toCallWithKey(useCase, (work) => store.write(work))
  expect(await call()).toEqual({ number: 2 })
  expect(deeds).toEqual(['prepare 1', 'prepare 2', 'after 2', 'abandon 1'])
})

test('[CALL-2] [ENGINE-60] nothing follows a transaction that was undone before another call with the key was answered', async () => {
  const store = new AnswerStore()
  const deeds: string[] = []
  const useCase = noting(deeds, async () => undefined)
  const other = toCallWithKey(useCase, (work) => store.write(work))
  let writes = 0
  const call = toCallWithKey(useCase, async (work) => {
    // The first one looks for an answer, the second one runs the use case.
    if (++writes === 2) {
      await store.writeInVain(work)
      await other()
    }
    return store.write(work)
  })
  expect(await call()).toEqual({ number: 2 })
  expect(deeds).toEqual(['prepare 1', 'prepare 2', 'after 2', 'abandon 1'])
})
