import { expect, test } from 'vitest'
import { requireNodeApi } from './require-node-api.ts'
import { sqlite } from './sqlite.ts'

const on = (node: string, napi: string) => () => requireNodeApi({ ...process.versions, node, napi })

test('[SQLITE-32] says which Node it needs', () => {
  expect(on('22.13.1', '9')).toThrow('SQLite needs Node 22.14 or newer, and this is Node 22.13.1')
  expect(on('22.14.0', '10')).not.toThrow()
  expect(on('26.0.0', '137')).not.toThrow()
  expect(requireNodeApi).not.toThrow()
})

test('[SQLITE-32] opens nothing on an older one', async () => {
  const real = process.versions
  Object.defineProperty(process, 'versions', { value: { ...real, napi: '9' }, configurable: true })
  try {
    const opening = sqlite({ file: ':memory:' }).open({ onCommit: () => undefined })
    await expect(opening).rejects.toThrow('SQLite needs Node 22.14 or newer')
  } finally {
    Object.defineProperty(process, 'versions', { value: real, configurable: true })
  }
})
