function __adorn_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = ':files'
      set -l token (string match -r -- '^((?:--[^=]+=)?)(.*)$' (commandline -ct))
      for path in (__fish_complete_path $token[3])
        echo $token[2]$path
      end
    else
      echo $line
    end
  end
end
complete -c adorn -f -a '(__adorn_complete)'
