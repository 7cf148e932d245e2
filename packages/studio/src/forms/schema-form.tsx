import { useId } from 'preact/hooks';

import { fieldKind, initialValue, type JsonSchema, withoutNull, withValue, wordsOf } from './schema.js';

interface FieldProps {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface NamedFieldProps extends FieldProps {
  readonly name: string;
  readonly isRequired: boolean;
}

/** A form for the values of a schema. An object has a field for each property; anything else is one field. */
export function SchemaForm({
  schema,
  value,
  onChange,
  label = 'Value',
}: FieldProps & { readonly label?: string }) {
  const plain = withoutNull(schema);
  if (fieldKind(plain) !== 'object')
    return <Field schema={plain} value={value} onChange={onChange} name={plain.title ?? label} isRequired />;
  return <Fields schema={plain} value={value} onChange={onChange} />;
}

function Fields({ schema, value, onChange }: FieldProps) {
  const object = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <div class="fields">
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <Field
          key={name}
          name={property.title ?? wordsOf(name)}
          schema={withoutNull(property)}
          isRequired={schema.required?.includes(name) === true}
          value={object[name]}
          onChange={(changed) => onChange(withValue(object, name, changed))}
        />
      ))}
    </div>
  );
}

function Field({ name, schema, isRequired, value, onChange }: NamedFieldProps) {
  const id = useId();
  const kind = fieldKind(schema);
  if (kind === 'object')
    return (
      <fieldset class="field-group">
        <legend>{name}</legend>
        <Fields schema={schema} value={value} onChange={onChange} />
      </fieldset>
    );
  if (kind === 'list')
    return (
      <ListField name={name} schema={schema} value={value} onChange={onChange} isRequired={isRequired} />
    );
  const hint = schema.description;
  const described = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class={kind === 'boolean' ? 'field field-check' : 'field'}>
      <label for={id}>
        {name}
        {!isRequired && kind !== 'boolean' && <span class="field-optional"> optional</span>}
      </label>
      <Control
        id={id}
        schema={schema}
        value={value}
        onChange={onChange}
        isRequired={isRequired}
        described={described}
      />
      {hint !== undefined && (
        <p id={described} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

type ControlProps = FieldProps & {
  readonly id: string;
  readonly isRequired: boolean;
  readonly described: string | undefined;
};

function Control({ id, schema, value, onChange, isRequired, described }: ControlProps) {
  const shared = { id, required: isRequired, 'aria-describedby': described };
  switch (fieldKind(schema)) {
    case 'boolean':
      return (
        <input
          {...shared}
          required={false}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...shared}
          value={JSON.stringify(value)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : JSON.parse(currentTarget.value))
          }
        >
          {!isRequired && <option value="" />}
          {schema.enum?.map((choice) => (
            <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
              {typeof choice === 'string' ? choice : JSON.stringify(choice)}
            </option>
          ))}
        </select>
      );
    case 'number':
    case 'integer':
      return (
        <input
          {...shared}
          type="number"
          step={fieldKind(schema) === 'integer' ? 1 : 'any'}
          min={schema.minimum}
          max={schema.maximum}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))
          }
        />
      );
    case 'text':
      return (
        <TextInput
          {...shared}
          isDate={schema.format === 'date'}
          value={textOf(value)}
          onChange={(text) => onChange(givenText(text, isRequired))}
        />
      );
    case 'long-text':
      return (
        <textarea
          {...shared}
          rows={4}
          value={textOf(value)}
          onInput={({ currentTarget }) => onChange(givenText(currentTarget.value, isRequired))}
        />
      );
    default:
      return <JsonControl {...shared} value={value} onChange={onChange} />;
  }
}

interface TextInputProps {
  readonly id: string;
  readonly required: boolean;
  readonly isDate: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function TextInput({ isDate, onChange, ...shared }: TextInputProps) {
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onChange(currentTarget.value);
  return isDate ? (
    <input {...shared} type="date" onInput={onInput} />
  ) : (
    <input {...shared} type="text" autoComplete="off" onInput={onInput} />
  );
}

/** An empty field is an empty text only where a text is required. */
function givenText(text: string, isRequired: boolean): string | undefined {
  return text === '' && !isRequired ? undefined : text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function JsonControl({
  value,
  onChange,
  ...shared
}: Pick<FieldProps, 'value' | 'onChange'> & { readonly id: string; readonly required: boolean }) {
  const change = (area: HTMLTextAreaElement) => {
    try {
      onChange(area.value.trim() === '' ? undefined : JSON.parse(area.value));
      area.setCustomValidity('');
    } catch {
      area.setCustomValidity('Write JSON, such as {"key": "value"}, "text" or 12.');
    }
  };
  const initial = value === undefined ? '' : JSON.stringify(value, null, 2);
  return (
    <textarea
      {...shared}
      class="mono"
      rows={3}
      spellcheck={false}
      placeholder="JSON"
      defaultValue={initial}
      onInput={({ currentTarget }) => change(currentTarget)}
    />
  );
}

function ListField({ name, schema, value, onChange }: NamedFieldProps) {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const item = withoutNull(schema.items ?? {});
  return (
    <fieldset class="field-group">
      <legend>{name}</legend>
      {items.map((one, index) => (
        <div class="field-row" key={index}>
          <Field
            name={`${name} ${String(index + 1)}`}
            schema={item}
            isRequired
            value={one}
            onChange={(changed) => onChange(items.map((old, place) => (place === index ? changed : old)))}
          />
          <button
            type="button"
            class="link"
            onClick={() => onChange(items.filter((_, place) => place !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" class="link" onClick={() => onChange([...items, initialValue(item) ?? ''])}>
        Add
      </button>
    </fieldset>
  );
}
