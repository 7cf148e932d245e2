import { parseJson, setProperty } from './edit-json.js';

describe('setProperty', () => {
  it('keeps comments, order and the property that a comment belongs to', () => {
    const text = `{
    // Project
    "compilerOptions": {
        "target": "ES2022", // the oldest Node
        "strict": true, // all of it
    },
}
`;

    expect(setProperty(text, ['compilerOptions', 'experimentalDecorators'], true)).toBe(`{
    // Project
    "compilerOptions": {
        "experimentalDecorators": true,
        "target": "ES2022", // the oldest Node
        "strict": true, // all of it
    },
}
`);
  });

  it('changes a value in its place, and indents by tabs where the file does', () => {
    const text = '{\n\t"compilerOptions": {\n\t\t"emitDecoratorMetadata": false // no\n\t}\n}\n';

    expect(setProperty(text, ['compilerOptions', 'emitDecoratorMetadata'], true)).toBe(
      text.replace('false', 'true'),
    );
    expect(setProperty('{\n\t"name": "a"\n}\n', ['dependencies', 'adorn'], '1.0.0')).toBe(
      '{\n\t"dependencies": {\n\t\t"adorn": "1.0.0"\n\t},\n\t"name": "a"\n}\n',
    );
  });
});

describe('parseJson', () => {
  it('reads comments and trailing commas, and says where a file is no JSON', () => {
    expect(parseJson('tsconfig.json', '{ /* a */ "files": [1,], }')).toEqual({ files: [1] });
    expect(() => parseJson('package.json', '{\n  "name": \n}')).toThrow(
      'package.json is not JSON (ValueExpected in line 3). Mend it, and run the command again.',
    );
    expect(() => parseJson('package.json', '1')).toThrow('package.json holds no object.');
  });
});
