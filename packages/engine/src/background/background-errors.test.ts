import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { toSafeListener } from './background-errors.ts'

/** The messages of the warnings and of the promises nobody caught, up to the next turn. */
async function warnings(act: () => void) {
  const warned: string[] = []
  const hear = ({ message }: Error) => {
    warned.push(message)
  }
  process.on('warning', hear)
  act()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', hear)
  return warned
}

const rejections: unknown[] = []
const noteRejection = (reason: unknown) => {
  rejections.push(reason)
}

beforeAll(() => void process.on('unhandledRejection', noteRejection))
afterAll(() => void process.off('unhandledRejection', noteRejection))
afterEach(() => {
  expect(rejections).toEqual([])
})

test('[ENGINE-9] warns of an error where nobody listens, whatever was thrown', async () => {
  const tell = toSafeListener()
  expect(await warnings(() => tell(new Error('lost')))).toEqual(['lost'])
  expect(await warnings(() => tell(undefined))).toEqual([
    'Something was thrown that is not an error: undefined',
  ])
})

test('[ENGINE-9] goes on where the listener throws or its promise fails', async () => {
  const throws = toSafeListener(() => {
    throw new Error('deaf')
  })
  const rejects = toSafeListener(() => Promise.reject(new Error('deaf')))
  for (const tell of [throws, rejects]) {
    expect(await warnings(() => tell(new Error('lost')))).toEqual(['lost', 'deaf'])
  }
})
