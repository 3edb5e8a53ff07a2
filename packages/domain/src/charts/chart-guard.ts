import { type Guard, showing } from '../access/guard.ts'

/** Makes a guard ask for what a chart shows besides: what records hold, and for each column the whole field. */
export function showingChart<Input, Scope>(guard: Guard<Input, Scope>): Guard<Input, Scope> {
  return showing(showing(guard, 'record|read'), 'field|read')
}
