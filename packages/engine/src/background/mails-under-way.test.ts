import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { MailSettings } from '@gateleg/domain/accounts/mail/mail-settings'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../open-engine.ts'

const lost = new Error('no such box')
const failing = { send: () => Promise.reject(lost) }

const rejections: unknown[] = []
const warnings: string[] = []
const noteRejection = (reason: unknown) => void rejections.push(reason)
const noteWarning = ({ message }: Error) => void warnings.push(message)

beforeAll(() => {
  process.on('unhandledRejection', noteRejection)
  process.on('warning', noteWarning)
})
afterAll(() => {
  process.off('unhandledRejection', noteRejection)
  process.off('warning', noteWarning)
})
afterEach(() => {
  expect(rejections).toEqual([])
})

/** Has a mail fail for which no caller waits. Answers what the engine told of it. */
async function failIn(mail: MailSettings): Promise<readonly unknown[]> {
  const told: unknown[] = []
  const engine = await openEngine({
    storage: sqlite({ file: ':memory:' }),
    ports: { mail },
    onBackgroundError: (error) => told.push(error),
  })
  const email = 'ada@example.com'
  await engine.public.accounts.signUp({ email, password: 'A-good-password-1' })
  await engine.public.accounts.sendPasswordReset({ email })
  await engine.close()
  await new Promise((resolve) => setImmediate(resolve))
  return told
}

test('[ENGINE-120] a mail that fails is told of like any error for which no caller waits, where its settings have no listener', async () => {
  expect(await failIn({ mailer: failing })).toEqual([lost])
})

test('[ENGINE-120] a listener of mails that fails in turn ends nothing', async () => {
  const deaf = () => {
    throw new Error('deaf')
  }
  for (const onFailure of [deaf, async () => deaf()]) {
    warnings.length = 0
    expect(await failIn({ mailer: failing, onFailure })).toEqual([])
    expect(warnings).toEqual(['no such box', 'deaf'])
  }
})
