import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suiteStorages } from '@gateleg/testing/test-engine'
import { expect, test } from 'vitest'

const run = promisify(execFile)

const program = join(import.meta.dirname, '../torture/src/main.ts')

/** What PostgreSQL is tortured with here; the rest of it is the product's own and was seen on SQLite. */
const onPostgres = ['walks', 'fuzz', 'kills', 'postgres-killed']

/** Milliseconds that the short run may take, on a machine that is busy with other tests. */
const patienceMs = 400_000

test.each(suiteStorages().map(({ name }) => name))(
  'a server on %s survives the attacks, made short',
  async (storage) => {
    const only = storage === 'postgres' ? onPostgres.flatMap((name) => ['--only', name]) : []
    const { stdout } = await run(process.execPath, [
      program,
      '--short',
      '--storage',
      storage,
      ...only,
    ])
    expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed$/m)
  },
  patienceMs,
)
