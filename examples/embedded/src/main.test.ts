import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import { afterEach, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'main.ts')

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'planets.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('builds a base in a file and reads it back', async () => {
  const { stdout, stderr } = await run(process.execPath, [program, file])
  expect(stderr).toBe('')
  expect(stdout).toBe(`Signed up ada
Created Planets with 8 records in Observatory
Name | Kind | Moons | Found | Rings
Mercury | rocky | 0 |  | 
Venus | rocky | 0 |  | 
Earth | rocky | 1 |  | 
Mars | rocky | 2 |  | 
Jupiter | gas giant | 95 |  | true
Saturn | gas giant | 274 |  | true
Uranus | ice giant | 28 | 1781-03-13 | true
Neptune | ice giant | 16 | 1846-09-23 | true
The workspace is in ${file}
`)
  expect(findDamage(file)).toEqual([])
})

test('says what is wrong when the account is there already', async () => {
  await run(process.execPath, [program, file])
  await expect(run(process.execPath, [program, file])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already registered'),
  })
})
