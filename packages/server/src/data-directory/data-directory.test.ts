import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prepareDataDirectory } from './data-directory.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

describe.skipIf(process.platform === 'win32')('a data directory', () => {
  test('[SERVER-22] is made for its owner alone', () => {
    const dataDir = join(folder, 'a', 'b')
    expect(prepareDataDirectory(dataDir)).toEqual([])
    expect(modeOf(dataDir)).toBe(0o700)
  })

  test('[SERVER-22] is closed to others, and its files with it', () => {
    const names = ['gateleg.db', 'gateleg.db-wal', 'gateleg.db.lock', 'instance.key']
    for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o644 })
    chmodSync(folder, 0o755)
    expect(prepareDataDirectory(folder)).toEqual([])
    expect([folder, ...names.map((name) => join(folder, name))].map(modeOf)).toEqual([
      0o700, 0o600, 0o600, 0o600, 0o600,
    ])
  })

  test('[SERVER-22] that holds other things is left open, with a warning; our files are closed', () => {
    mkdirSync(join(folder, 'pictures'))
    writeFileSync(join(folder, 'instance.key'), '', { mode: 0o644 })
    chmodSync(folder, 0o755)
    expect(prepareDataDirectory(folder)).toEqual([
      `Other users of this machine may be able to open ${folder}: "chmod 700" closes it to them.`,
    ])
    expect(modeOf(folder)).toBe(0o755)
    expect(modeOf(join(folder, 'instance.key'))).toBe(0o600)
  })
})
