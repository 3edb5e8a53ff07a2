import { type Guard, showing } from '../access/guard.ts'

/** The same guard for a chart, which answers what records hold, and for each column the whole field. */
export function showingChart<Input, Scope>(guard: Guard<Input, Scope>): Guard<Input, Scope> {
  return showing(showing(guard, 'record|read'), 'field|read')
}
