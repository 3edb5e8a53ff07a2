import { readdirSync, readFileSync } from 'node:fs'
import { useCases } from '@gateleg/domain/use-cases'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { findDifference } from '@gateleg/testing/differential/find-difference'
import {
  openScriptedEngine,
  runScript,
  type ScriptedEngine,
} from '@gateleg/testing/differential/run-script'
import { parseScript, type Script, toExactJson } from '@gateleg/testing/differential/script'
import { scriptArbitrary } from '@gateleg/testing/differential/script-arbitrary'
import { scriptedOperations } from '@gateleg/testing/differential/scripted-operations'
import { suiteStorages } from '@gateleg/testing/test-engine'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'

const scripts = Number(process.env.DIFFERENTIAL_SCRIPTS ?? 1_000)
const stepsPerScript = 50

/** Storages hold many tables after many scripts, which makes them slow: they are emptied after so many. */
const scriptsPerEngine = 50

const [left, right] = suiteStorages()

/** An engine on each of two storages, and the number of the last run. */
let engines: readonly [ScriptedEngine, ScriptedEngine] | undefined
let runs = 0

async function closeEngines(): Promise<void> {
  await Promise.all((engines ?? []).map(({ engine }) => engine.close()))
  engines = undefined
}

afterAll(closeEngines)

async function differenceOf(script: Script): Promise<string | undefined> {
  if (!left || !right) return undefined
  if (runs % scriptsPerEngine === 0) await closeEngines()
  const secrets = new NodeSecrets('the same on every storage')
  engines ??= await Promise.all([
    openScriptedEngine(left, secrets),
    openScriptedEngine(right, secrets),
  ])
  const run = ++runs
  const [one, two] = engines
  return findDifference(
    await Promise.all([runScript(one, script, run), runScript(two, script, run)]),
  )
}

test('[STORE-40] scripts call every operation there is', () => {
  const names = Object.entries(useCases).flatMap(([feature, byName]) =>
    Object.keys(byName).map((name) => `${feature}.${name}`),
  )
  expect([...scriptedOperations.keys()].toSorted()).toEqual(names.toSorted())
})

test('scripts', async () => {
  const start = Date.now()
  await fc.assert(
    fc.asyncProperty(scriptArbitrary(stepsPerScript), async (script) => {
      const difference = await differenceOf(script)
      if (difference === undefined) return
      throw new Error(`${toExactJson(script)}\n${difference}`)
    }),
    { numRuns: scripts },
  )
  console.log(scripts, Date.now() - start)
}, 900_000)
