/** The decorator of a constructor's parameter that the container leaves alone, as inversify has it. */
export { unmanaged } from 'inversify';
