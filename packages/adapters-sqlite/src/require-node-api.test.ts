import { expect, test } from 'vitest'
import { requireNodeApi } from './require-node-api.ts'

const on = (node: string, napi: string) => () => requireNodeApi({ ...process.versions, node, napi })

test('[SQLITE-32] says which Node it needs', () => {
  expect(on('22.13.1', '9')).toThrow('SQLite needs Node 22.14 or newer, and this is Node 22.13.1')
  expect(on('22.14.0', '10')).not.toThrow()
  expect(on('26.0.0', '137')).not.toThrow()
  expect(requireNodeApi).not.toThrow()
})
