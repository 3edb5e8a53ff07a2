import { readFileSync } from 'node:fs'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { findDifference } from '@gateleg/testing/differential/find-difference'
import { openScriptedEngine, runScript } from '@gateleg/testing/differential/run-script'
import { suiteStorages } from '@gateleg/testing/test-engine'
import { test } from 'vitest'
test('replay', { timeout: 2_000_000 }, async () => {
  Error.prototype.toString = function () { return String(this.stack) }
  const [left, right] = suiteStorages()
  const secrets = new NodeSecrets('the same on every storage')
  const script = JSON.parse(readFileSync(process.env.SCRIPT as string, 'utf8'))
  const runs: any[] = []
  for (const one of [left, right ?? left]) {
    const e = await openScriptedEngine(one as any, secrets)
    runs.push(await runScript(e, script, 1))
    await e.engine.close()
  }
  for (const o of runs[0].outcomes.slice(0, 13)) if (o.error || o.defect) console.log('BEGIN FAIL', JSON.stringify(o.step).slice(0, 300), o.error, o.defect)
  for (const [i, o] of runs[0].outcomes.entries()) if (i >= 13) console.log(i, o.step.operation, JSON.stringify(o.input).slice(0, 1500), '\n  ->', JSON.stringify(o.answer)?.slice(0, 3000), o.error, o.defect)
  console.log('DIFF', findDifference(runs as any))
})
