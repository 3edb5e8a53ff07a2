import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useCases } from '@gateleg/domain/use-cases'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { findDifference } from '@gateleg/testing/differential/find-difference'
import {
  openScriptedEngine,
  runScript,
  type ScriptedEngine,
} from '@gateleg/testing/differential/run-script'
import { scriptArbitrary } from '@gateleg/testing/differential/script-arbitrary'
import { scriptedOperations } from '@gateleg/testing/differential/scripted-operations'
import { withoutNeedlessSteps } from '@gateleg/testing/differential/without-needless-steps'
import { parseScript, type Script, toExactJson } from '@gateleg/testing/scripts/script'
import { suiteStorages } from '@gateleg/testing/test-engine'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'

const stepsPerScript = 100
const usualScripts = 120
const scripts = Number(process.env.DIFFERENTIAL_SCRIPTS ?? usualScripts)

/** Scripts that are run beside them where an operation was never answered, which is luck where it takes several others before. */
const furtherScripts = 100

/** Storages that hold thousands of tables are slow: after so many scripts, others begin on empty ones. */
const scriptsPerEngine = 50

/** Time for all scripts on a slow machine that has other work to do, and for shrinking one that fails. */
const timeoutMs = 1_200_000

/** Scripts on which storages differed once; each file is named after what it was. */
const folder = join(import.meta.dirname, 'differential')
const known = readdirSync(folder).filter((file) => file.endsWith('.json'))

const [left, right] = suiteStorages()

/** Two engines that have the same scripts behind them. */
let engines: readonly [ScriptedEngine, ScriptedEngine] | undefined
let runs = 0

/** Operations that were answered, not only refused. */
const answered = new Set<string>()

async function closeEngines(): Promise<void> {
  await Promise.all((engines ?? []).map(({ engine }) => engine.close()))
  engines = undefined
}

async function openEngines(): Promise<readonly [ScriptedEngine, ScriptedEngine]> {
  if (!left || !right) throw new Error('It takes two storages to differ')
  const secrets = new NodeSecrets('the same on every storage')
  return Promise.all([openScriptedEngine(left, secrets), openScriptedEngine(right, secrets)])
}

async function differenceOn(script: Script): Promise<string | undefined> {
  if (runs % scriptsPerEngine === 0) await closeEngines()
  engines ??= await openEngines()
  const run = ++runs
  const [one, other] = engines
  const both = await Promise.all([runScript(one, script, run), runScript(other, script, run)])
  for (const { step, error } of both[0].outcomes) if (!error) answered.add(step.operation)
  return findDifference(both)
}

afterAll(closeEngines)

describe.skipIf(!right)('storages', () => {
  test('[STORE-40] always answer alike, whatever is called', { timeout: timeoutMs }, async () => {
    const details = await fc.check(
      fc.asyncProperty(scriptArbitrary(stepsPerScript), async (script) => {
        expect(await differenceOn(script)).toBeUndefined()
      }),
      { numRuns: scripts },
    )
    const [failing] = details.counterexample ?? []
    if (!failing) return expect(details.failed, fc.defaultReportMessage(details)).toBe(false)
    const differs = async (script: Script) => (await differenceOn(script)) !== undefined
    const script = await withoutNeedlessSteps(failing, differs)
    const file = join(folder, `seed-${details.seed}.json`)
    writeFileSync(file, `${toExactJson(script, 2)}\n`)
    const told = `Mend it, then keep ${file} under a name that says what it was`
    expect.fail(`${fc.defaultReportMessage(details)}\n${told}\n${await differenceOn(script)}`)
  })

  test.each(known)('[STORE-40] answer alike what they once did not: %s', async (file) => {
    const script = parseScript(readFileSync(join(folder, file), 'utf8'))
    expect(await differenceOn(script)).toBeUndefined()
  })
})

const names = Object.entries(useCases).flatMap(([feature, byName]) =>
  Object.keys(byName).map((name) => `${feature}.${name}`),
)

test('[STORE-41] scripts call every operation there is', () => {
  expect([...scriptedOperations.keys()].toSorted()).toEqual(names.toSorted())
})

// Fewer scripts may well miss many.
test.skipIf(!right || scripts < usualScripts)(
  '[STORE-41] scripts get answers of all of them',
  { timeout: timeoutMs },
  async () => {
    // Nobody mails codes or invitations here, and everybody who calls has had a password from the beginning.
    const refused = [
      'accounts.addPassword',
      'accounts.sendSignUpCode',
      'accounts.sendPasswordReset',
      'accounts.resetPassword',
      'accounts.sendChangeEmailCode',
      'accounts.changeEmail',
      'accounts.acceptInvitation',
      'collaborators.withdrawSpaceInvitation',
      'collaborators.withdrawBaseInvitation',
    ]
    const unanswered = () => names.filter((name) => !answered.has(name))
    const seed = (fc.readConfigureGlobal()?.seed ?? 0) + 1
    const further = fc.sample(scriptArbitrary(stepsPerScript), { numRuns: furtherScripts, seed })
    for (const script of further) {
      if (unanswered().length <= refused.length) break
      expect(await differenceOn(script)).toBeUndefined()
    }
    expect(unanswered().toSorted()).toEqual(refused.toSorted())
  },
)
