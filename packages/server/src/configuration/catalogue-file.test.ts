import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultCatalogue } from '@gateleg/domain/billing/default-catalogue'
import { limits } from '@gateleg/domain/limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startServer } from '../../../../test/server-process.ts'
import { openCatalogue } from './catalogue-file.ts'
import { ConfigurationError } from './configuration.ts'

const spaceId = 'spcAAAAAAAAAAAAAAAA'
const onCloud = { ...defaultCatalogue, plans: { catalog: 'cloud', level: 'pro' } }

let folder: string
let file: string
let told: string[]
const log = { info: (text: string) => told.push(text), error: (text: string) => told.push(text) }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'catalogue.json')
  told = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (catalogue: unknown) => writeFileSync(file, JSON.stringify(catalogue))

test('[SERVER-60] without a file there is the catalogue that is shipped, and nothing to read again', () => {
  const { plans, reload } = openCatalogue(undefined, log)
  expect(plans.catalogue).toEqual(defaultCatalogue)
  expect(reload).toBeUndefined()
})

test('[SERVER-60] a file that is no catalogue is refused with what is wrong where', () => {
  const refusalOf = () => {
    try {
      openCatalogue(file, log)
      return 'none'
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
      return (error as Error).message
    }
  }
  expect(refusalOf()).toContain("can't (ENOENT)")
  writeFileSync(file, 'no JSON')
  expect(refusalOf()).toBe(`BILLING_CATALOGUE (${file}) must be JSON.`)
  write({ ...onCloud, plans: { catalog: 'cloud', level: 'enterprise' } })
  expect(refusalOf()).toContain(
    'plans.level: there is no base product of "cloud" with the level "enterprise".',
  )
  writeFileSync(file, ' '.repeat(4 * limits.catalogueLength + 1))
  expect(refusalOf()).toContain('must have at most')
})

test('[SERVER-61] a file that is read again holds, or the old one stays when it is wrong', () => {
  write(onCloud)
  const { plans, reload } = openCatalogue(file, log)
  expect(plans.of(spaceId).level).toBe('pro')
  write({ ...onCloud, plans: { ...onCloud.plans, spaces: { [spaceId]: 'free' } } })
  reload?.()
  expect(plans.of(spaceId).level).toBe('free')
  write({ ...onCloud, baseProducts: [] })
  reload?.()
  expect(plans.of(spaceId).level).toBe('free')
  rmSync(file)
  reload?.()
  expect(plans.of(spaceId).level).toBe('free')
  const kept = /^the catalogue of products stays as it was: BILLING_CATALOGUE/
  expect(told).toEqual([
    'the catalogue of products was read again',
    expect.stringMatching(kept),
    expect.stringMatching(kept),
  ])
})

test('[SERVER-60] [SERVER-61] a server reads the file at its start, and again at SIGHUP', async () => {
  write(onCloud)
  const variables = { DATA_DIR: join(folder, 'data'), BILLING_CATALOGUE: file, LOG_LEVEL: 'info' }
  const server = await startServer(variables)
  try {
    const { accessToken } = await server
      .api()
      .accounts.signUp({ email: 'ada@example.com', password: 'correct horse 1' })
    const api = server.api(accessToken)
    const levels = async () => (await api.billing.listSubscriptions()).map(({ level }) => level)
    expect(await levels()).toEqual(['pro'])
    write({ ...onCloud, plans: { ...onCloud.plans, level: 'free' } })
    process.kill(server.processId ?? 0, 'SIGHUP')
    await expect.poll(levels, { timeout: 10_000 }).toEqual(['free'])
    write('broken')
    process.kill(server.processId ?? 0, 'SIGHUP')
    await expect.poll(() => server.log(), { timeout: 10_000 }).toContain('stays as it was')
    expect(await levels()).toEqual(['free'])
  } finally {
    await server.kill()
  }
  await expect(startServer(variables)).rejects.toThrow('BILLING_CATALOGUE')
})
